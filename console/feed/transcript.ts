import type { EventOf, FeedEntry } from '../../protocol/engine-event.ts';
import { addGateRef, decideEnd, endOf, NOT_ENDED } from '../../protocol/gated-act.ts';
import type { ActId, TurnId } from '../../protocol/ids.ts';
import { GrowingMap } from '../lib/growing-map.ts';
import type { Item, MarkedAct } from './items.ts';

/** A session's record as a page reads it: items in the order in which they began. */
export type Transcript = {
  items: readonly Item[];
  /** Where an item is, by its key. */
  places: GrowingMap<number>;
  /** The tool call in which each act was seen, so that its outcome finds it. */
  actTools: ReadonlyMap<string, string>;
  /** What the gate saw of acts that the stream claims, by its own ids. */
  gateActs: ReadonlyMap<string, GateAct>;
  openTurnId: TurnId | null;
};

type GateAct = { claimId: ActId; command: string };

/** The transcript of a record without entries. */
export const EMPTY_TRANSCRIPT: Transcript = {
  items: [],
  places: new GrowingMap(),
  actTools: new Map(),
  gateActs: new Map(),
  openTurnId: null,
};

type Draft = {
  items: Item[];
  /** Where things were before this batch, and where those are that came with it. */
  places: GrowingMap<number>;
  added: Map<string, number>;
  actTools: Map<string, string>;
  gateActs: Map<string, GateAct>;
  openTurnId: TurnId | null;
};

/**
 * Applies entries in their order. The list is copied once a batch and items are replaced,
 * never changed, so a row that shows one can tell by identity whether it has to draw again.
 */
export function reduceTranscript(before: Transcript, entries: readonly FeedEntry[]): Transcript {
  if (entries.length === 0) return before;
  const draft: Draft = {
    items: [...before.items],
    places: before.places,
    added: new Map(),
    actTools: new Map(before.actTools),
    gateActs: new Map(before.gateActs),
    openTurnId: before.openTurnId,
  };
  for (const entry of entries) applyEntry(draft, entry);
  const { added, places, ...rest } = draft;
  return { ...rest, places: places.with(added) };
}

const placeOf = ({ added, places }: Draft, key: string): number | undefined =>
  added.get(key) ?? places.get(key);

function applyEntry(draft: Draft, { event, at, position }: FeedEntry): void {
  const here = { at, turnId: draft.openTurnId, parentToolId: null };
  switch (event.type) {
    case 'session/created':
    case 'turn/accepted':
    case 'usage/recorded':
    case 'brain/answered':
    case 'turn/briefed':
    case 'model/routed':
    case 'model/metered':
      return;
    case 'turn/delivered':
      if (event.delivery === 'undelivered' || event.delivery === 'unknown') {
        beginTurn(draft, event.turnId, at);
      }
      return;
    case 'turn/started':
      draft.openTurnId = event.turnId;
      beginTurn(draft, event.turnId, at);
      return;
    case 'turn/ended':
      beginTurn(draft, event.turnId, at);
      put(draft, { ...here, kind: 'turnEnd', key: `end:${event.turnId}`, turnId: event.turnId });
      if (draft.openTurnId === event.turnId) draft.openTurnId = null;
      return;
    case 'text/completed':
      put(draft, {
        ...here,
        kind: 'text',
        key: `text:${event.blockId}`,
        turnId: event.turnId,
        parentToolId: event.parentToolId,
        text: event.text,
        voice: event.kind,
      });
      return;
    case 'tool/started':
      put(draft, {
        ...here,
        kind: 'tool',
        key: `tool:${event.toolId}`,
        toolId: event.toolId,
        turnId: event.turnId,
        parentToolId: event.parentToolId,
        name: event.name,
        summary: event.summary,
        input: event.input,
        ended: null,
        acts: [],
      });
      return;
    case 'tool/ended':
      change(draft, `tool:${event.toolId}`, (item) =>
        item.kind === 'tool' ? { ...item, ended: event } : item,
      );
      return;
    case 'act/seen':
      seeAct(draft, event, at);
      return;
    case 'act/ended':
      endAct(draft, event);
      return;
    case 'act/witnessed':
      changeAct(draft, event.actId, (marked) => ({
        ...marked,
        witnesses: [...marked.witnesses, event],
      }));
      return;
    case 'approval/requested':
      put(draft, {
        ...here,
        kind: 'approval',
        key: `approval:${event.request.requestId}`,
        turnId: event.request.turnId,
        request: event.request,
        answer: null,
        channel: null,
        decidedAt: null,
        resolution: null,
      });
      return;
    case 'approval/decided':
      change(draft, `approval:${event.requestId}`, (item) =>
        item.kind === 'approval'
          ? { ...item, answer: event.answer, channel: event.channel, decidedAt: at }
          : item,
      );
      return;
    case 'approval/resolved':
      change(draft, `approval:${event.requestId}`, (item) =>
        item.kind === 'approval'
          ? { ...item, resolution: event.resolution, decidedAt: item.decidedAt ?? at }
          : item,
      );
      return;
    case 'command/failed':
      // An answer that did not arrive may be given again.
      if (event.requestId) {
        change(draft, `approval:${event.requestId}`, (item) =>
          item.kind === 'approval'
            ? { ...item, answer: null, channel: null, decidedAt: null }
            : item,
        );
      }
      put(draft, { ...here, kind: 'note', key: `note:${position}`, event });
      return;
    case 'launch/staged':
    case 'launch/failed':
    case 'engine/ready':
    case 'engine/exited':
    case 'engine/parked':
    case 'engine/blocked':
    case 'engine/unblocked':
    case 'session/halted':
    case 'session/resumed':
    case 'breach/found':
    case 'breach/overridden':
    case 'session/ended':
    case 'checkout/prepared':
    case 'checkout/broughtBack':
    case 'turn/witnessed':
    case 'setup/ran':
    case 'action/requested':
    case 'session/forked':
    case 'takeover/began':
    case 'takeover/released':
    case 'terminal/opened':
    case 'terminal/closed':
    case 'rateLimit/reported':
    case 'notice/raised':
      put(draft, { ...here, kind: 'note', key: `note:${position}`, event });
      return;
    default:
      event satisfies never;
  }
}

/** Adds an item at the end, or replaces the one of its key where it stands. */
function put(draft: Draft, item: Item): void {
  const place = placeOf(draft, item.key);
  if (place !== undefined) {
    draft.items[place] = item;
    return;
  }
  draft.added.set(item.key, draft.items.length);
  draft.items.push(item);
}

function change(draft: Draft, key: string, next: (item: Item) => Item): void {
  const place = placeOf(draft, key);
  const item = place === undefined ? undefined : draft.items[place];
  if (place !== undefined && item) draft.items[place] = next(item);
}

function beginTurn(draft: Draft, turnId: TurnId, at: number): void {
  const key = `turn:${turnId}`;
  if (placeOf(draft, key) !== undefined) return;
  put(draft, { kind: 'turn', key, turnId, at, parentToolId: null });
}

function seeAct(draft: Draft, { act }: EventOf<'act/seen'>, at: number): void {
  if (act.claimId) {
    draft.gateActs.set(act.actId, { claimId: act.claimId, command: act.command });
    return;
  }
  const marked: MarkedAct = { ...NOT_ENDED, act, gate: [], witnesses: [] };
  const toolKey = act.toolId === null ? null : `tool:${act.toolId}`;
  if (toolKey === null || placeOf(draft, toolKey) === undefined) {
    const item = { at, turnId: act.turnId, parentToolId: null };
    put(draft, { ...item, kind: 'act', key: `act:${act.actId}`, marked });
    return;
  }
  draft.actTools.set(act.actId, toolKey);
  change(draft, toolKey, (item) =>
    item.kind === 'tool' ? { ...item, acts: [...item.acts, marked] } : item,
  );
}

function endAct(draft: Draft, event: EventOf<'act/ended'>): void {
  const end = endOf(event);
  const ref = draft.gateActs.get(event.actId);
  changeAct(draft, event.actId, (marked) =>
    ref
      ? addGateRef(marked, { command: ref.command, end })
      : { ...marked, ...decideEnd(end, marked.gate) },
  );
}

/** What the gate saw of an act that is claimed belongs to the claim. */
function changeAct(draft: Draft, seenId: string, next: (marked: MarkedAct) => MarkedAct): void {
  const id = draft.gateActs.get(seenId)?.claimId ?? seenId;
  change(draft, draft.actTools.get(id) ?? `act:${id}`, (item) => {
    if (item.kind === 'act') return { ...item, marked: next(item.marked) };
    if (item.kind !== 'tool') return item;
    return {
      ...item,
      acts: item.acts.map((held) => (held.act.actId === id ? next(held) : held)),
    };
  });
}
