/** What the command that makes the demo prints. */
export interface Demo {
  readonly token: string
  readonly tickets: readonly { readonly code: string; readonly note: string }[]
}

/** Scans a ticket at the main entrance of the demo, and answers how it went. */
export async function scanAtMainEntrance(url: string, demo: Demo, secret: string): Promise<string> {
  const headers = { authorization: `Token ${demo.token}`, 'content-type': 'application/json' }
  const lists = await fetch(`${url}/api/v1/organizers/demo/events/festival/checkinlists/`, { headers })
  const { results } = (await lists.json()) as { results: readonly { id: number }[] }
  const answer = await fetch(`${url}/api/v1/organizers/demo/checkinrpc/redeem/`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ secret, lists: [results[0]?.id] }),
  })
  const { status, reason } = (await answer.json()) as { status: string; reason?: string }
  return reason === undefined ? status : `${status}: ${reason}`
}
