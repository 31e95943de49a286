import { enteredPayment } from './payment-provider.ts'

/** Cash at the box office. */
export const boxOfficeProvider = enteredPayment('boxoffice', { refundsAtOnce: true })

/** A card terminal that works by itself. */
export const cardTerminalProvider = enteredPayment('cardterminal', { refundsAtOnce: false })

/** A transfer from bank to bank. */
export const bankTransferProvider = enteredPayment('banktransfer', { refundsAtOnce: false })
