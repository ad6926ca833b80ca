import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import { useState } from 'react';
import type { DeviceChoices as Choices, PushDevice } from '../../protocol/push.ts';
import { changeDevice, PUSH_KEY, pushQuery, removeDevice } from '../api/push.ts';
import { cliTwin } from '../format/cli.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmRemoval } from '../ui/confirm-removal.tsx';
import { Command } from '../ui/copy.tsx';
import { Section } from '../ui/page.tsx';
import { ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { DeviceChoices } from './device-choices.tsx';
import {
  PushRefused,
  readThisDevice,
  turnPushOff,
  turnPushOn,
  whyNotPush,
} from './this-browser.ts';

/** The browsers that are told what needs a person while no page is open. */
export function PushDevices() {
  const query = useQuery(pushQuery);
  const client = useQueryClient();
  const reread = () => client.invalidateQueries({ queryKey: PUSH_KEY });
  const on = useMutation({ mutationFn: turnPushOn, onSettled: reread });
  const devices = query.data?.devices ?? [];
  const mine = readThisDevice();
  const isOn = devices.some(({ deviceId }) => deviceId === mine);
  return (
    <Section
      title="Notifications"
      aside={
        query.data &&
        !isOn && (
          <Button
            size="small"
            onClick={() => on.mutate(query.data.publicKey)}
            reason={on.isPending ? 'The browser is being asked.' : whyNotPush()}
          >
            <BellRing /> Tell this browser
          </Button>
        )
      }
    >
      <p className="mb-3 text-soft">
        A browser can be told what needs you while no page is open. A message says that there is
        something and, where you choose so, what; it is encrypted for that browser alone.
      </p>
      {query.isPending && <Skeleton label="Reading the browsers" rows={2} />}
      {query.isError && !query.data && (
        <ErrorPanel error={query.error} retry={() => void query.refetch()} />
      )}
      {on.error instanceof PushRefused && (
        <p role="alert" className="mb-3 text-red">
          {on.error.message}
        </p>
      )}
      {on.error && !(on.error instanceof PushRefused) && <ErrorPanel error={on.error} />}
      {query.data && devices.length === 0 && (
        <p className="text-soft">{whyNotPush() ?? 'No browser is told yet.'}</p>
      )}
      {devices.length > 0 && (
        <ul aria-label="Browsers" className="divide-y overflow-hidden rounded-md border bg-raised">
          {devices.map((device) => (
            <Device
              key={device.deviceId}
              device={device}
              isThis={device.deviceId === mine}
              reread={reread}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

type DeviceProps = { device: PushDevice; isThis: boolean; reread: () => Promise<void> };

function Device({ device, isThis, reread }: DeviceProps) {
  const { deviceId, name, kinds, quiet, details, added, createdAt, lastAt, fault } = device;
  const change = useMutation({
    // One after the other: each is all that was chosen, and the last one is to stand.
    scope: { id: deviceId },
    mutationFn: (choices: Choices) => changeDevice(deviceId, choices),
    onSettled: reread,
  });
  const remove = useMutation({
    mutationFn: async () => {
      await removeDevice(deviceId);
      if (isThis) await turnPushOff();
    },
    onSettled: reread,
  });
  const [asking, setAsking] = useState(false);
  const shown = change.variables && change.isPending ? change.variables : { kinds, quiet, details };
  const error = change.error ?? remove.error;
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium">{name}</span>
        {isThis && <span className="text-sm text-accent">this browser</span>}
        <span className="text-sm text-faint">
          {lastAt === null ? 'added ' : 'last told '}
          <Ago at={lastAt ?? createdAt} />
        </span>
        <span className="ml-auto">
          <Button
            size="small"
            kind="quiet"
            // This browser is told again by a press here; another one only by who sits at it.
            onClick={() => (isThis ? remove.mutate() : setAsking(true))}
            reason={remove.isPending ? 'It is being taken off.' : null}
          >
            Tell it nothing more{!isThis && '…'}
          </Button>
        </span>
      </div>
      {fault !== null && <p className="text-sm text-red">Not told the last time: {fault}.</p>}
      <DeviceChoices
        choices={shown}
        added={change.isPending ? [] : added}
        change={(choices) => change.mutate({ ...choices, details: shown.details })}
      />
      <label className="flex min-h-8 items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={shown.details}
          onChange={({ target }) => change.mutate({ ...shown, details: target.checked })}
        />
        Show the command that waits, and answer it there. It stands on a locked screen too.
      </label>
      {error && <ErrorPanel error={error} />}
      <div className="mt-1">
        <Command text={cliTwin.removeDevice(deviceId)} />
      </div>
      {asking && (
        <ConfirmRemoval
          title={`Tell ${name} nothing more?`}
          name={name}
          description="What it was to be told, and when, is forgotten. It can be told again from that browser alone: open the console there, Settings, “Tell this browser”."
          action="Tell it nothing more"
          command={cliTwin.removeDevice(deviceId)}
          remove={() => removeDevice(deviceId)}
          queryKey={PUSH_KEY}
          close={() => setAsking(false)}
        />
      )}
    </li>
  );
}
