import type { App } from '../../context.ts';
import { registerListOperators } from './list-operators.ts';
import { registerReadOperator } from './read-operator.ts';
import { registerPublishOperator } from './publish-operator.ts';
import { registerWithdrawOperator } from './withdraw-operator.ts';
import { registerListInstances } from './list-instances.ts';
import { registerReadInstance } from './read-instance.ts';
import { registerMakeInstance } from './make-instance.ts';
import { registerAnswerBreach } from './answer-breach.ts';
import { registerChangeInstance } from './change-instance.ts';
import { registerListRevisions } from './list-revisions.ts';

/** Operators, and the instances that people make of them. */
export function registerOperators(app: App): void {
  registerListOperators(app);
  registerReadOperator(app);
  registerPublishOperator(app);
  registerWithdrawOperator(app);
  registerListInstances(app);
  registerReadInstance(app);
  registerMakeInstance(app);
  registerChangeInstance(app);
  registerAnswerBreach(app);
  registerListRevisions(app);
}
