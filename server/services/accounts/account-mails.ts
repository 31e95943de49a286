import type { MailTemplate } from '../../../schema/mail-templates.ts'
import { localDateTime } from '../../domain/text/time.ts'
import type { Tx } from '../../resource/transactions.ts'
import { queueMail } from '../notifications/mail-queue.ts'
import { accountsPlace, type User } from './users.ts'

/** What users get mails about: changes of how they log in. */
type AccountChange = Extract<
  MailTemplate,
  'password_changed' | 'second_factor_on' | 'second_factor_off' | 'recovery_codes_new'
>

/** Tells somebody by mail what was changed about how they get in, so that they notice when it was somebody else. */
export const mailAccountChange = (tx: Tx, user: User, change: AccountChange): Promise<void> =>
  queueMail(tx, accountsPlace, {
    to: user.email,
    template: change,
    locale: user.locale,
    values: {
      name: user.fullname ?? '',
      email: user.email,
      when: `${localDateTime(tx.now, user.timezone).replace('T', ' ').slice(0, 16)} (${user.timezone})`,
    },
  })
