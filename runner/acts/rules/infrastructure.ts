import type { Rule } from '../types.ts';
import { verbs } from './verbs.ts';

/** Terraform writes long options with one dash, which are no clusters of short ones. */
const terraform: Rule = (args, surroundings) =>
  terraformVerbs(
    args.filter(({ text }) => text === '-help' || !/^-[a-z]{2}/.test(text)),
    surroundings,
  );

const terraformVerbs = verbs({
  apply: 'infrastructure',
  import: 'infrastructure',
  taint: 'infrastructure',
  'run-all apply': 'infrastructure',
  'state mv': 'infrastructure',
  'state push': 'infrastructure',
  'state rm': 'delete',
  destroy: 'delete',
  'run-all destroy': 'delete',
  'workspace delete': 'delete',
});

const pulumi = verbs(
  {
    up: 'infrastructure',
    update: 'infrastructure',
    refresh: 'infrastructure',
    import: 'infrastructure',
    destroy: 'delete',
    'stack rm': 'delete',
  },
  ['-s', '--stack', '-C', '--cwd', '-m', '--message'],
);

const CLOUD_VALUED = ['--profile', '--region', '--output', '--project', '--zone', '-g', '-n', '-o'];

/** Programs that make, change and take down what other things run on. */
export const INFRASTRUCTURE_RULES: Readonly<Record<string, Rule | undefined>> = {
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  pulumi,
  cdk: verbs({ deploy: 'infrastructure', bootstrap: 'infrastructure', destroy: 'delete' }, [
    '-a',
    '--app',
    '--profile',
    '-c',
    '--context',
    '--require-approval',
  ]),
  cdktf: verbs({ deploy: 'infrastructure', destroy: 'delete' }),
  eksctl: verbs({
    'create cluster': 'infrastructure',
    'create nodegroup': 'infrastructure',
    'scale nodegroup': 'infrastructure',
    'upgrade cluster': 'infrastructure',
    'delete cluster': 'delete',
    'delete nodegroup': 'delete',
  }),
  kops: verbs({ 'update cluster': 'infrastructure', 'delete cluster': 'delete' }),
  crossplane: verbs({ 'xpkg install': 'infrastructure' }),
  aws: verbs(
    {
      'cloudformation deploy': 'infrastructure',
      'cloudformation create-stack': 'infrastructure',
      'cloudformation update-stack': 'infrastructure',
      'cloudformation execute-change-set': 'infrastructure',
      'cloudformation delete-stack': 'delete',
      'ec2 run-instances': 'infrastructure',
      'ec2 create-vpc': 'infrastructure',
      'ec2 terminate-instances': 'delete',
      'rds create-db-instance': 'infrastructure',
      'route53 change-resource-record-sets': 'infrastructure',
      'eks create-cluster': 'infrastructure',
    },
    CLOUD_VALUED,
  ),
  gcloud: verbs(
    {
      'compute instances create': 'infrastructure',
      'compute instances delete': 'delete',
      'container clusters create': 'infrastructure',
      'container clusters delete': 'delete',
      'sql instances create': 'infrastructure',
      'dns record-sets create': 'infrastructure',
    },
    CLOUD_VALUED,
  ),
  az: verbs(
    {
      'vm create': 'infrastructure',
      'aks create': 'infrastructure',
      'group create': 'infrastructure',
      'deployment group create': 'infrastructure',
      'deployment sub create': 'infrastructure',
      'group delete': 'delete',
      'vm delete': 'delete',
    },
    CLOUD_VALUED,
  ),
  doctl: verbs({
    'compute droplet create': 'infrastructure',
    'compute droplet delete': 'delete',
    'kubernetes cluster create': 'infrastructure',
  }),
  hcloud: verbs({ 'server create': 'infrastructure', 'server delete': 'delete' }),
  linode: verbs({ 'linodes create': 'infrastructure' }),
};
