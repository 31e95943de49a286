import { flag, integer } from '../../fields.ts'

/** What an event says of its kiosks. */
export const kioskSettings = {
  kiosk_idle_seconds: {
    field: integer({ default: 30, minimum: 10, maximum: 600 }),
    label: 'Kiosk: seconds without a touch',
    help: 'After so long a kiosk asks whether somebody is still there.',
    shared: true,
  },
  kiosk_warning_seconds: {
    field: integer({ default: 10, minimum: 5, maximum: 300 }),
    label: 'Kiosk: seconds to answer',
    help: 'For so long a guest can say that they need more time before a kiosk starts over.',
    shared: true,
  },
  kiosk_done_seconds: {
    field: integer({ default: 3, minimum: 2, maximum: 60 }),
    label: 'Kiosk: seconds of the last screen',
    shared: true,
  },
  kiosk_data_minutes: {
    field: integer({ default: 720, minimum: 0, maximum: 100_000 }),
    label: 'Kiosk: minutes without the server',
    help: 'A kiosk whose data is older is out of order. 0: however old it is.',
    shared: true,
  },
  kiosk_needs_printer: {
    field: flag(true),
    label: 'Kiosk: only with its printer',
    help: 'A kiosk that prints for each guest is out of order while it cannot. Otherwise guests are checked in and get a code for the desk, which prints.',
    shared: true,
  },
  kiosk_name_correction: {
    field: flag(false),
    label: 'Kiosk: guests correct their name',
    help: 'Who was checked in may correct the name on the ticket before anything is printed.',
    shared: true,
  },
} as const
