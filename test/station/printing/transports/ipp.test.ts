import assert from 'node:assert/strict'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ippTransport } from '../../../../server/station/printing/transports/ipp.ts'
import {
  certificate,
  certificateKey,
  loopbackCertificate,
  loopbackCertificateKey,
} from '../../../support/servers/certificate.ts'
import { type IppSimulator, startIpp } from '../ipp-simulator.ts'
import { placeOf, printout, worldWith } from './printout.ts'

describe('printers that speak IPP', () => {
  let printer: IppSimulator
  const world = worldWith()
  beforeEach(async () => {
    printer = await startIpp()
  })
  afterEach(() => printer.close())
  const place = () => placeOf('ipp', printer.address)
  const print = (document = printout()) => ippTransport.print(world, place(), document)

  it('are sent a page as it is, and asked until it is printed', async () => {
    assert.deepEqual(await print(), { kind: 'printed' })
    assert.deepEqual(
      printer.documents.map(({ format, bytes }) => [format, bytes.toString()]),
      [['application/pdf', '%PDF document']],
    )
  })

  it('are sent pictures where they take no pages', async () => {
    printer.formats = ['image/png']
    assert.deepEqual(await print(), { kind: 'printed' })
    assert.equal(printer.documents[0]?.format, 'image/png')
    assert.equal(printer.documents[0]?.bytes.subarray(1, 4).toString(), 'PNG')
  })

  it('are sent nothing that they do not take, or do not want now', async () => {
    printer.formats = ['image/urf']
    assert.deepEqual(await print(), { kind: 'unsent', reason: 'unfit' })
    printer.formats = ['application/pdf']
    printer.behaviour = 'has-no-paper'
    assert.deepEqual(await print(), { kind: 'unsent', reason: 'paper' })
    assert.equal(await ippTransport.look(world, place()), 'paper')
    printer.behaviour = 'is-stopped'
    assert.equal(await ippTransport.look(world, place()), 'offline')
    for (const behaviour of ['is-paused', 'takes-nothing'] as const) {
      printer.behaviour = behaviour
      assert.deepEqual(await print(), { kind: 'unsent', reason: 'stopped' })
    }
    printer.behaviour = 'prints'
    assert.equal(await ippTransport.look(world, place()), null)
    assert.deepEqual(await print(printout('x', { wanted: false })), { kind: 'withdrawn' })
    assert.equal(printer.documents.length, 0)
  })

  it('may refuse, give up or hang up, which a person has to look at', async () => {
    for (const [behaviour, reason] of [
      ['refuses', 'unfit'],
      ['aborts', 'offline'],
      ['hangs-up', 'broken-off'],
    ] as const) {
      printer.behaviour = behaviour
      assert.deepEqual(await print(), { kind: 'unknown', reason })
    }
  })

  it('may not be there', async () => {
    const gone = place()
    await printer.close()
    assert.deepEqual(await ippTransport.print(world, gone, printout()), {
      kind: 'unsent',
      reason: 'unreachable',
    })
    assert.equal(await ippTransport.look(world, placeOf('ipp', 'http://nothing')), 'unreachable')
    printer = await startIpp()
  })

  it('have to prove who they are where they encrypt, by a certificate that this machine knows', async () => {
    const known = getCACertificates()
    const proof = { cert: loopbackCertificate, key: loopbackCertificateKey }
    const [secure, other] = [
      await startIpp(proof),
      await startIpp({ cert: certificate, key: certificateKey }),
    ]
    const refused = { kind: 'unsent', reason: 'certificate' }
    try {
      const print = ({ address }: IppSimulator) =>
        ippTransport.print(world, placeOf('ipp', address), printout())
      assert.deepEqual(await print(secure), refused)
      assert.equal(await ippTransport.look(world, placeOf('ipp', secure.address)), 'certificate')
      // What NODE_EXTRA_CA_CERTS does before the program starts.
      setDefaultCACertificates([...known, loopbackCertificate, certificate])
      assert.deepEqual(await print(secure), { kind: 'printed' })
      // One that is known, and is that of another machine.
      assert.deepEqual(await print(other), refused)
      const plain = placeOf('ipp', printer.address.replace('ipp:', 'ipps:'))
      assert.equal(await ippTransport.look(world, plain), 'unreachable')
      assert.deepEqual([secure.documents.length, other.documents.length], [1, 0])
    } finally {
      setDefaultCACertificates(known)
      await secure.close()
      await other.close()
    }
  })
})
