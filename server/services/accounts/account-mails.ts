import type { MailTemplate } from '../../../schema/mail-templates.ts'
import { localDateTime } from '../../domain/text/time.ts'
import type { Tx } from '../../resource/transactions.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { accountsPlace, type Person } from './users.ts'

/** What people are told of that was changed about how they get in. */
export type AccountChange = Extract<
  MailTemplate,
  'password_changed' | 'second_factor_on' | 'second_factor_off' | 'recovery_codes_new'
>

/** Tells somebody by mail what was changed about how they get in, so that they notice when it was somebody else. */
export const mailAccountChange = (tx: Tx, person: Person, change: AccountChange): Promise<void> =>
  queueMail(tx, accountsPlace, {
    to: person.email,
    template: change,
    locale: person.locale,
    values: {
      name: person.fullname ?? '',
      email: person.email,
      when: `${localDateTime(tx.now, person.timezone).replace('T', ' ').slice(0, 16)} (${person.timezone})`,
    },
  })
