import assert from 'node:assert/strict'
import {
  addressProblem,
  isPublic,
  readNetwork,
  readNetworks,
  targetProblem,
} from '../../../server/domain/notifications/webhook-targets.ts'

describe('the networks that webhooks may reach', () => {
  for (const address of [
    '8.8.8.8',
    '93.184.215.14',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])
    it(`are the public ones, such as that of ${address}`, () => {
      assert.equal(isPublic(address), true)
      assert.equal(addressProblem(address, 443, []), null)
    })

  for (const address of [
    '',
    'x',
    '1',
    '127.1',
    '127.0.0.1',
    '::ffff:8.8.8.8',
    '2002:808:808::',
    '64:ff9b::808:808',
    '2001:1::1',
    '4000::1',
    'fe80::1%2',
    '2606:4700::1111%1',
  ])
    it(`are no others, such as that of ${JSON.stringify(address)}`, () => {
      assert.equal(isPublic(address), false)
      assert.notEqual(addressProblem(address, 443, []), null)
    })

  it('are those that are allowed as well, at any port and however their addresses are written', () => {
    const networks = readNetworks(['10.0.0.0/8', '192.168.7.7', 'fd00::/8', 'nonsense'])
    assert.equal(networks.length, 3)
    for (const address of ['10.9.8.7', '::ffff:10.9.8.7', '192.168.7.7', 'fd12::1'])
      assert.equal(addressProblem(address, 6379, networks), null, address)
    for (const address of ['172.16.0.1', '192.168.7.8', 'fc00::1', '127.0.0.1', 'fd12::1%eth0'])
      assert.notEqual(addressProblem(address, 443, networks), null, address)
    assert.notEqual(addressProblem('8.8.8.8', 6379, networks), null)
    assert.equal(targetProblem('http://receiver:3000/', networks), null)
    assert.equal(targetProblem('http://0x0a000001:3000/', networks), null)
    assert.notEqual(targetProblem('http://127.0.0.1:3000/', networks), null)
  })

  it('are read as they are usually written', () => {
    for (const text of ['10.0.0.0/8', '::1', '::1/128', '127.0.0.1']) assert.ok(readNetwork(text), text)
    for (const text of ['', '10.0.0.0/33', 'ten', '10.0.0.0/', '/8'])
      assert.equal(readNetwork(text), undefined, text)
  })

  it('are told from others by what a target means, not by how it is written', () => {
    for (const target of [
      'https://example.org/',
      'http://example.org:8080/x?y',
      'https://user:pass@bücher.example/',
      'https://8.8.8.8/',
    ])
      assert.equal(targetProblem(target, []), null, target)
  })

  for (const inside of ['\r\n', '\n', '\r', '\t', ' ', '\u0000', '\u200b'])
    it(`holds no ${JSON.stringify(inside)}, which a parser would leave out`, () => {
      assert.equal(targetProblem('https://example.org/hook', []), null)
      assert.match(String(targetProblem(`https://example.org/ho${inside}ok`, [])), /valid URL/)
    })
})
