import {
  checkpointList,
  rewound,
  type Checkpoint,
  type RewindRequest,
  type Rewound,
} from '../../../protocol/checkpoints.ts';
import { landed, type Landed, type LandRequest } from '../../../protocol/land.ts';
import { EXIT, Failure } from '../../failure.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import {
  previewList,
  previewOpened,
  type PreviewList,
  type PreviewOpened,
  type PreviewRequest,
} from '../../../protocol/preview.ts';
import {
  changesAnswer,
  reviewedPatch,
  type CheckoutReview,
  type PatchQuery,
  type ReviewedPatch,
} from '../../../protocol/review.ts';
import type { Call } from '../api.ts';

/** What a session changed, and how far that goes, as the command line asks for it. */
export type ChangesApi = {
  readChanges(sessionId: string): Promise<CheckoutReview>;
  readPatch(sessionId: string, query: PatchQuery): Promise<ReviewedPatch>;
  land(sessionId: string, request: LandRequest): Promise<Landed>;
  listCheckpoints(sessionId: string): Promise<{ items: Checkpoint[] }>;
  rewind(sessionId: string, request: RewindRequest): Promise<Rewound>;
  listPreviews(sessionId: string): Promise<PreviewList>;
  openPreview(sessionId: string, request: PreviewRequest): Promise<PreviewOpened>;
};

export function createChangesApi(call: Call): ChangesApi {
  const path = (sessionId: string) => `/v1/sessions/${encodeURIComponent(sessionId)}`;
  return {
    async readChanges(sessionId) {
      const answer = await call('GET', `${path(sessionId)}/changes`, changesAnswer);
      if (!('working' in answer)) return answer;
      throw new Failure(EXIT.refused, 'checkout_working', ERRORS.checkout_working.sentence);
    },
    readPatch: (sessionId, { was, ...file }) => {
      const query = new URLSearchParams({ ...file, ...(was !== undefined && { was }) });
      return call('GET', `${path(sessionId)}/changes/patch?${query}`, reviewedPatch);
    },
    land: (sessionId, request) => call('POST', `${path(sessionId)}/land`, landed, request),
    listCheckpoints: (sessionId) => call('GET', `${path(sessionId)}/checkpoints`, checkpointList),
    rewind: (sessionId, request) => call('POST', `${path(sessionId)}/rewind`, rewound, request),
    listPreviews: (sessionId) => call('GET', `${path(sessionId)}/previews`, previewList),
    openPreview: (sessionId, request) =>
      call('POST', `${path(sessionId)}/previews`, previewOpened, request),
  };
}
