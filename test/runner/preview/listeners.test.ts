import { describe, expect, it } from 'vitest';
import { parseListening, parseLsof, programOf } from '../../../runner/preview/listeners.ts';

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, state: string, inode: string) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${inode} 1 0 100 0 0 10 0`;

describe('the sockets that a kernel lists', () => {
  it('count where they listen and loopback reaches them', () => {
    const table = [
      HEAD,
      row('0100007F:1435', '0A', '11'),
      row('00000000:1F90', '0A', '12'),
      row('0100007F:1435', '01', '13'),
      row('0200007F:1440', '0A', '18'),
      row('0105A8C0:1436', '0A', '14'),
      row('00000000000000000000000001000000:1437', '0A', '15'),
      row('00000000000000000000000000000000:1438', '0A', '16'),
      row('0000000000000000000000000105A8C0:1439', '0A', '17'),
      '',
    ].join('\n');
    expect(parseListening(table)).toEqual([
      { inode: '11', port: 5173, address: '127.0.0.1' },
      { inode: '12', port: 8080, address: '127.0.0.1' },
      { inode: '15', port: 5175, address: '::1' },
      { inode: '16', port: 5176, address: '::' },
    ]);
    expect(parseListening('')).toEqual([]);
  });

  it('are the same by lsof', () => {
    const identity = { pid: 7, startedAt: 'x' };
    const output =
      'p7\ncnode\nf20\nn127.0.0.1:5173\nf21\nn*:8080\nf22\nn[::1]:24678\nf23\nn192.168.5.1:9\n';
    const found = parseLsof(output, identity);
    expect(found.map(({ port, address }) => [port, address])).toEqual([
      [5173, '127.0.0.1'],
      [8080, '127.0.0.1'],
      [24_678, '::1'],
    ]);
    expect(found[0]).toMatchObject({ program: 'node', process: identity, network: null });
  });

  it('are told by the script, where another program runs it', () => {
    expect(programOf(['/usr/bin/node', '/project/node_modules/.bin/vite', '--port'])).toBe(
      'node vite',
    );
    expect(programOf(['python3.12', '-m', 'http.server'])).toBe('python3.12');
    expect(programOf(['/opt/caddy', 'run'])).toBe('caddy');
  });
});
