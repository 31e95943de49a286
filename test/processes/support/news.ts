import type { Machine } from './machine.ts'

/** What a machine's screens are told, as it comes. */
interface News {
  /** What was told so far under a name. */
  of(name: string): readonly Record<string, unknown>[]
  end(): void
}

/** Listens as a screen does; resolves once it is heard. */
export async function listen(machine: Machine): Promise<News> {
  const received = new Map<string, Record<string, unknown>[]>()
  const ending = new AbortController()
  const answer = await fetch(`${machine.url}/api/v1/station/live`, {
    headers: { Authorization: `Station ${machine.key}` },
    signal: ending.signal,
  })
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const name = /^event: ?(.*)$/m.exec(part)?.[1]
        const data = /^data: ?(.*)$/m.exec(part)?.[1]
        if (name && data) received.set(name, [...(received.get(name) ?? []), JSON.parse(data)])
      }
    }
  }
  void read().catch(() => undefined)
  return { of: (name) => received.get(name) ?? [], end: () => ending.abort() }
}
