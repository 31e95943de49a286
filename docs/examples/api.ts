/** Asks the server that the command line names, with its token, for something; gives the body, or throws what is wrong. */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const [address, token] = process.argv.slice(2)
  if (!address || !token) throw new Error('Give the address of the server and a token.')
  const answer = await fetch(new URL(`/api/v1/${path}`, address), {
    method,
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`)
  return text === '' ? (undefined as T) : JSON.parse(text)
}

/** A page of a list. */
export interface Page<T> {
  readonly count: number
  readonly results: readonly T[]
}

/** Something that was given an id. */
export interface Numbered {
  readonly id: number
}

/** The path of the organizer that the token belongs to. */
export async function organizerPath(): Promise<string> {
  const { results } = await ask<Page<{ slug: string }>>('GET', 'organizers/')
  const [first] = results
  if (!first) throw new Error('The token belongs to no organizer.')
  return `organizers/${first.slug}`
}

/** The slug of the event that the examples share. */
export const slug = 'summer-fest'

/** The path of that event. */
export const eventPath = async (): Promise<string> => `${await organizerPath()}/events/${slug}`

/** The product of that event with a name. */
export async function productNamed(event: string, name: string): Promise<Numbered> {
  const { results } = await ask<Page<Numbered & { name: { en?: string } }>>('GET', `${event}/items/`)
  const found = results.find((one) => one.name.en === name)
  if (!found) throw new Error(`There is no product "${name}". Run set-up-event.ts first.`)
  return found
}
