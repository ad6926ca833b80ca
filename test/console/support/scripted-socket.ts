/** A socket that does only what a test tells it to. */
export class ScriptedSocket extends EventTarget {
  readyState = 0;
  readonly sent: string[] = [];

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.readyState = 3;
  }

  accept(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  say(data: unknown): void {
    const raw = typeof data === 'string' || data instanceof ArrayBuffer;
    const frame = raw ? data : JSON.stringify(data);
    this.dispatchEvent(Object.assign(new Event('message'), { data: frame }));
  }

  end(code = 1006): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}
