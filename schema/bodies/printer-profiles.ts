/** The languages that printers speak; `pdf` is for those who take whole pages. */
export const printerDialects = ['escpos', 'zpl', 'epl', 'pdf'] as const

/** See printerDialects. */
export type PageDialect = (typeof printerDialects)[number]

/** What a kind of printer is like. */
interface PrinterProfile {
  readonly dialect: PageDialect
  /** How it says how it is, where it is spoken to directly: DLE EOT, ~HS, ^ee, or not at all. */
  readonly status: 'escpos' | 'zpl' | 'epl' | 'none'
  readonly dpi: number
  /** Dots of a line of it, as wide as it prints. */
  readonly dots: number
  /** Letters of a line of text. */
  readonly columns: number
  readonly cutter: boolean
  /** The pin of its socket that opens a drawer; null where it has none. */
  readonly drawerPin: 0 | 1 | null
  /** The length of a label in millimetres where pages have none of their own, as for tests; null for paper from a roll. */
  readonly labelLength: number | null
}

/** The kinds of printers that are known, by the name that is stored. */
export const printerProfiles = {
  'escpos-80': {
    ...{ dialect: 'escpos', status: 'escpos', dpi: 203, dots: 576, columns: 42 },
    ...{ cutter: true, drawerPin: 0, labelLength: null },
  },
  'escpos-58': {
    ...{ dialect: 'escpos', status: 'escpos', dpi: 203, dots: 384, columns: 32 },
    ...{ cutter: false, drawerPin: 0, labelLength: null },
  },
  'zpl-203': {
    ...{ dialect: 'zpl', status: 'zpl', dpi: 203, dots: 832, columns: 42 },
    ...{ cutter: false, drawerPin: null, labelLength: 60 },
  },
  'zpl-300': {
    ...{ dialect: 'zpl', status: 'zpl', dpi: 300, dots: 1248, columns: 42 },
    ...{ cutter: false, drawerPin: null, labelLength: 60 },
  },
  'epl-203': {
    ...{ dialect: 'epl', status: 'epl', dpi: 203, dots: 832, columns: 42 },
    ...{ cutter: false, drawerPin: null, labelLength: 60 },
  },
  pdf: {
    ...{ dialect: 'pdf', status: 'none', dpi: 300, dots: 2480, columns: 42 },
    ...{ cutter: false, drawerPin: null, labelLength: null },
  },
} as const satisfies Readonly<Record<string, PrinterProfile>>

/** The name of a profile. */
export type PrinterProfileName = keyof typeof printerProfiles

/** What a kind of printer is like. */
export const profileNamed = (name: PrinterProfileName): PrinterProfile => printerProfiles[name]

/** All their names. */
export const printerProfileNames = [
  ...(['escpos-80', 'escpos-58', 'zpl-203', 'zpl-300', 'epl-203', 'pdf'] as const),
] as const satisfies readonly PrinterProfileName[]

/** How a printer is reached. */
export const printerWays = ['tcp', 'ipp', 'device', 'windows', 'window', 'folder'] as const

/** See printerWays. */
export type PrinterWay = (typeof printerWays)[number]
