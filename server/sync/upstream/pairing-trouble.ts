import { Refusal } from '../../errors.ts'

const spent: Readonly<Record<string, string>> = {
  unknown: 'The server does not know this token, or it was used already',
  used: 'This token was used already',
  revoked: 'The device of this token was revoked',
  refused: 'The server did not accept this token',
}

/** Why a node whose server was given when it was started is not admitted, in one sentence that says what to do. */
export function pairingTrouble(cause: unknown): string {
  if (!(cause instanceof Refusal)) return cause instanceof Error ? cause.message : String(cause)
  const { reason, ...said } = { ...cause.body } as Readonly<Record<string, unknown>>
  const why = spent[String(reason)]
  if (why)
    return `${why}: make a new device there with device create, and start again with its token after --device-token.`
  return Object.values(said).flat().join(' ')
}
