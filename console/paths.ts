import type { RequestedAction } from '../protocol/session.ts';
import type { SessionId } from '../protocol/ids.ts';

/** Every page's address. A page without one does not exist. */
export const paths = {
  home: () => '/',
  signIn: () => '/sign-in',
  sessions: () => '/sessions',
  session: (sessionId: SessionId | string) => `/sessions/${sessionId}`,
  launch: () => '/launch',
  spend: () => '/spend',
  acts: () => '/acts',
  machines: () => '/machines',
  engines: () => '/machines/engines',
  decisions: () => '/decisions',
  compare: () => '/compare',
  settings: () => '/settings',
  gallery: () => '/dev/gallery',
} as const;

/** The API's addresses, in one place. */
export const api = {
  health: '/v1/health',
  signIn: '/v1/sign-in',
  signOut: '/v1/sign-out',
  me: '/v1/me',
  runners: '/v1/runners',
  directories: (runnerId: string) => `/v1/runners/${runnerId}/directories`,
  workspace: (runnerId: string) => `/v1/runners/${runnerId}/workspace`,
  doctor: (runnerId: string) => `/v1/runners/${runnerId}/doctor`,
  checkouts: (runnerId: string) => `/v1/runners/${runnerId}/checkouts`,
  removeCheckout: (runnerId: string, sessionId: string, how: 'remove' | 'discard') =>
    `/v1/runners/${runnerId}/checkouts/${sessionId}/${how}`,
  machineEngines: (runnerId: string) => `/v1/runners/${runnerId}/engines`,
  engines: '/v1/engines',
  engine: (engineId: string) => `/v1/engines/${engineId}`,
  removeEngine: (engineId: string) => `/v1/engines/${engineId}/remove`,
  sessions: '/v1/sessions',
  session: (sessionId: string) => `/v1/sessions/${sessionId}`,
  socket: (sessionId: string) => `/v1/sessions/${sessionId}/socket`,
  terminal: (sessionId: string) => `/v1/sessions/${sessionId}/terminal`,
  takeOver: (sessionId: string) => `/v1/sessions/${sessionId}/takeover`,
  release: (sessionId: string) => `/v1/sessions/${sessionId}/release`,
  artifactPack: (sessionId: string) => `/v1/sessions/${sessionId}/artifact-pack`,
  report: (sessionId: string, format: 'json' | 'markdown') =>
    `/v1/sessions/${sessionId}/report?format=${format}`,
  comparisons: '/v1/comparisons',
  pilot: (sessionId: string) => `/v1/sessions/${sessionId}/pilot`,
  pilotDecisions: (sessionId: string) => `/v1/sessions/${sessionId}/pilot/decisions`,
  instructions: (sessionId: string) => `/v1/sessions/${sessionId}/instructions`,
  act: (sessionId: string, action: RequestedAction) => `/v1/sessions/${sessionId}/${action}`,
  approval: (sessionId: string, requestId: string) =>
    `/v1/sessions/${sessionId}/approvals/${requestId}`,
  changes: (sessionId: string) => `/v1/sessions/${sessionId}/changes`,
  changedFile: (sessionId: string) => `/v1/sessions/${sessionId}/changes/patch`,
  toolOutput: (sessionId: string, toolId: string) =>
    `/v1/sessions/${sessionId}/tools/${encodeURIComponent(toolId)}/output`,
  budgets: '/v1/budgets',
  budgetVersions: '/v1/budgets/versions',
  policy: '/v1/policy',
  policyVersions: '/v1/policy/versions',
  github: '/v1/github/channels',
  removeGithub: (channelId: string) => `/v1/github/channels/${channelId}/remove`,
  brainKeys: '/v1/brain-keys',
  removeBrainKey: (keyId: string) => `/v1/brain-keys/${keyId}/remove`,
  usage: '/v1/usage',
  usageSummary: '/v1/usage/summary',
  usageDays: '/v1/usage/days',
  usageTurns: '/v1/usage/turns',
  usageExport: '/v1/usage/export',
  acts: '/v1/acts',
  overrideBreach: (sessionId: string, actId: string) =>
    `/v1/sessions/${sessionId}/breaches/${actId}/override`,
  decisionKeys: '/v1/decisions/keys',
  revokeDecisionKey: (keyId: string) => `/v1/decisions/keys/${keyId}/revoke`,
  decisionRepositories: '/v1/decisions/repositories',
  decisionReports: '/v1/decisions/reports',
  decisionReport: (reportId: string) => `/v1/decisions/reports/${reportId}`,
} as const;
