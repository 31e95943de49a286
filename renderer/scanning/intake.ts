import { type Signal, signal } from '@preact/signals'
import type { ScanResult } from '../../schema/bodies/scan-result.ts'
import { pairingCodeIn } from '../upstream/pairing-code.ts'
import type { Actions } from './actions.ts'
import { calibrated, calibrates, calibration, codeOf, type WedgeReading, type WedgeScan } from './wedge.ts'

/** A code in the picture of a camera. */
export interface Sighting {
  readonly text: string
  /** Its AIM identifier, such as `]Q1`. */
  readonly symbology: string
}

/** What the scanner check has found: nothing yet, right as it is, put right, or beyond repair. */
export type Check = 'none' | 'good' | 'corrected' | 'bad'

/** Where codes come in from devices at this page, before they are scans. */
interface Intake {
  readonly fromKeys: (scan: WedgeScan) => void
  readonly fromCamera: (sighting: Sighting) => void
  /** Whether a report of the station's own scanner is the check code, and no scan. */
  readonly isCheck: (result: ScanResult) => boolean
  readonly check: Signal<Check>
}

const readingKey = 'gatehouse.reading'

/**
 * Takes codes in; the one that checks a scanner sets how its keys are read from then on, and one that connects this
 * station is `paired` where somebody waits for it.
 */
export function openIntake(
  read: Actions['read'],
  memory: Pick<Storage, 'getItem' | 'setItem'>,
  paired: (code: string) => boolean = () => false,
): Intake {
  const check = signal<Check>('none')
  let reading: WedgeReading = memory.getItem(readingKey) === 'positions' ? 'positions' : 'characters'

  function learn(scan: WedgeScan): void {
    const right = calibrated(scan)
    check.value = right === null ? 'bad' : right === 'characters' ? 'good' : 'corrected'
    reading = right ?? reading
    memory.setItem(readingKey, reading)
  }

  const isCheckCode = (code: string): boolean => {
    if (code !== calibration) return false
    check.value = 'good'
    return true
  }

  return {
    check,
    fromKeys(scan) {
      if (calibrates(scan)) return learn(scan)
      const pairing = pairingCodeIn(scan)
      if (pairing !== null && paired(pairing)) return
      const { code, symbology } = codeOf(scan, reading)
      read(code, 'keyboard', {
        ...(symbology ? { symbology } : {}),
        ...(scan.garbled ? { garbled: true } : {}),
      })
    },
    fromCamera({ text, symbology }) {
      if (!isCheckCode(text)) read(text, 'camera', symbology ? { symbology } : {})
    },
    isCheck: (result) => isCheckCode(result.code),
  }
}
