import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import bwipjs from 'bwip-js/node'
import { PNG } from 'pngjs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { problemNamed } from '../../../renderer/camera/problems.ts'
import {
  closely,
  forgetAfter,
  look,
  lookCloser,
  nothingSeen,
  quickly,
} from '../../../renderer/camera/sightings.ts'
import type { Sighting } from '../../../renderer/scanning/intake.ts'

const qr = (text: string): Sighting => ({ text, symbology: ']Q1' })
const linear = (text: string): Sighting => ({ text, symbology: ']C0' })

/** The scans that come out of these frames, each with its time. */
function scansOf(frames: readonly (readonly [number, Sighting | null])[]): readonly string[] {
  let sightings = nothingSeen
  const scans: string[] = []
  for (const [at, sighting] of frames) {
    const seen = look(sightings, sighting, at)
    sightings = seen.sightings
    if (seen.scan) scans.push(`${at}:${seen.scan.text}`)
  }
  return scans
}

describe('codes in view of the camera', () => {
  const table: readonly [string, readonly (readonly [number, Sighting | null])[], readonly string[]][] = [
    [
      'counts one that stays in view once',
      [
        [0, qr('A')],
        [900, qr('A')],
        [1800, qr('A')],
      ],
      ['0:A'],
    ],
    [
      'counts one that stays for long once',
      Array.from({ length: 20 }, (_, index) => [index * 1000, qr('A')] as const),
      ['0:A'],
    ],
    [
      'counts one that comes back soon once',
      [
        [0, qr('A')],
        [1000, null],
        [forgetAfter - 1, qr('A')],
      ],
      ['0:A'],
    ],
    [
      'counts one again that was gone for three seconds',
      [
        [0, qr('A')],
        [forgetAfter, qr('A')],
      ],
      ['0:A', `${forgetAfter}:A`],
    ],
    [
      'counts two that take turns once each',
      [
        [0, qr('A')],
        [100, qr('B')],
        [200, qr('A')],
        [300, qr('B')],
      ],
      ['0:A', '100:B'],
    ],
    [
      'waits for a second look at a linear code',
      [
        [0, linear('1')],
        [100, linear('1')],
      ],
      ['100:1'],
    ],
    [
      'takes no linear code that was seen once',
      [
        [0, linear('1')],
        [100, null],
        [200, linear('2')],
      ],
      [],
    ],
  ]
  for (const [what, frames, scans] of table) it(what, () => assert.deepEqual(scansOf(frames), scans))

  it('looks closer at every fifth empty frame', () => {
    let sightings = nothingSeen
    const closer: number[] = []
    for (let frame = 1; frame <= 15; frame++) {
      if (lookCloser(sightings)) closer.push(frame)
      sightings = look(sightings, null, frame).sightings
    }
    assert.deepEqual(closer, [5, 10, 15])
  })

  const problems = {
    NotAllowedError: 'denied',
    NotFoundError: 'none',
    NotReadableError: 'in-use',
    SecurityError: 'insecure',
    Whatever: 'other',
  }
  for (const [name, problem] of Object.entries(problems))
    it(`knows ${name} as ${problem}`, () => assert.equal(problemNamed(name), problem))
})

describe('reading codes', () => {
  before(async () => {
    const path = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
    await prepareZXingModule({
      overrides: { wasmBinary: readFileSync(path).buffer },
      fireImmediately: true,
    })
  })

  async function readBack(bcid: string, text: string, inverted = false) {
    const png = PNG.sync.read(
      await bwipjs.toBuffer({
        bcid,
        text,
        scale: 4,
        paddingwidth: 20,
        paddingheight: 20,
        backgroundcolor: 'ffffff',
      }),
    )
    const data = new Uint8ClampedArray(png.data)
    if (inverted)
      data.forEach((value, index) => {
        if (index % 4 !== 3) data[index] = 255 - value
      })
    const image = { data, width: png.width, height: png.height, colorSpace: 'srgb' } as Parameters<
      typeof readBarcodes
    >[0]
    const [quick] = await readBarcodes(image, quickly)
    const [close] = await readBarcodes(image, closely)
    return { quick: quick?.text, close: close?.text, symbology: close?.symbologyIdentifier }
  }

  const kinds = { qrcode: ']Q1', azteccode: ']z0', pdf417: ']L2', code128: ']C0' }
  for (const [bcid, symbology] of Object.entries(kinds))
    it(`reads ${bcid}`, async () =>
      assert.deepEqual(await readBack(bcid, 'k3f9x2m7'), { quick: 'k3f9x2m7', close: 'k3f9x2m7', symbology }))
  it('reads white on black with the closer look', async () =>
    assert.equal((await readBack('qrcode', 'k3f9x2m7', true)).close, 'k3f9x2m7'))
  it('reads no shop article', async () =>
    assert.equal((await readBack('ean13', '4006381333931')).close, undefined))
})
