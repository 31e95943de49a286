/** A ticket holder as far as mails go. */
export interface TicketHolder {
  readonly id: number
  readonly email: string | null
  readonly name: string | null
}

/** Somebody to be mailed: the buyer where `position` is null. */
interface Recipient {
  readonly to: string
  readonly position: number | null
  readonly name: string | null
}

/**
 * Who gets an automated mail about an order. The buyer gets it once, also as the holder of a ticket; a holder without an
 * address is written to at the buyer's; holders who share an address get one mail for each of their tickets.
 */
export function mailRecipients(
  sendTo: 'orders' | 'attendees' | 'both',
  buyer: string | null,
  holders: readonly TicketHolder[],
): Recipient[] {
  const recipients: Recipient[] = []
  let isBuyerMailed = false
  const mailBuyer = (): void => {
    if (buyer && !isBuyerMailed) recipients.push({ to: buyer, position: null, name: null })
    isBuyerMailed = true
  }
  if (sendTo !== 'attendees') mailBuyer()
  if (sendTo === 'orders') return recipients
  for (const { id, email, name } of holders) {
    const isBuyer = email?.trim().toLowerCase() === buyer?.trim().toLowerCase()
    if (email && !isBuyer) recipients.push({ to: email, position: id, name })
    else mailBuyer()
  }
  return recipients
}
