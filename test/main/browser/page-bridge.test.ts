import assert from 'node:assert/strict'
import vm from 'node:vm'
import { answerCall, type BridgedPage, bridgePage, pageBridge } from '../../../main/browser/page-bridge.ts'
import type { Shell } from '../../../main/common/channels.ts'
import { shellAnswers } from '../common/shell-answers.ts'

/** A page with its bridge, whose questions are answered as the shell answers them. */
function bridgedPage(asked: unknown[] = []): Shell {
  const page: BridgedPage = {
    async gatehouseCalls(question) {
      const script = await answerCall(shellAnswers(asked), question)
      assert.ok(script)
      const [, id, isAnswered, text = ''] =
        /^gatehouseAnswers\((\d+), (true|false), (.*)\)$/s.exec(script) ?? []
      page.gatehouseAnswers?.(Number(id), isAnswered === 'true', JSON.parse(text))
    },
  }
  bridgePage(page)
  assert.ok(page.gatehouse)
  return page.gatehouse
}

describe('the bridge between a page in Chromium and its shell', () => {
  it('asks what the preload script asks', async () => {
    const asked: unknown[] = []
    const shell = bridgedPage(asked)
    assert.deepEqual(await shell.state(), { kiosk: true, exitPin: true })
    assert.deepEqual(await shell.leave('4711'), { ok: true })
    assert.deepEqual(await shell.setPin('1', '2'), { ok: false, reason: 'wrong', waitMs: 0 })
    assert.deepEqual(await shell.printers(), [])
    assert.deepEqual(asked, [{ pin: '4711' }, { current: '1', next: '2' }])
  })

  it('gives each of many questions its own answer', async () => {
    const shell = bridgedPage()
    const answers = await Promise.all(['1', '4711', '2'].map((pin) => shell.leave(pin)))
    assert.deepEqual(
      answers.map(({ ok }) => ok),
      [false, true, false],
    )
  })

  it('says in the page what went wrong in the shell, and what it does not take', async () => {
    const shell = bridgedPage()
    const job = { printer: 'x', widthMm: 80, heightMm: 100, copies: 1 }
    await assert.rejects(shell.print(job), /^Error: out of paper$/)
    await assert.rejects(shell.print({ ...job, copies: 0 }), /Not what print:page takes/)
    await assert.rejects(shell.leave('1'.repeat(65)), /Not what window:leave takes/)
  })

  it('answers no other texts, and lets nothing of them into its script', async () => {
    const answers = shellAnswers()
    const strange = [
      '',
      '[',
      'null',
      '7',
      '{}',
      '{"id":"1) + alert(1","channel":"window:state","value":null}',
    ]
    for (const text of strange) assert.equal(await answerCall(answers, text), null, text)
    assert.equal(await answerCall(answers, '{"id":1,"channel":"toString","value":null}'), null)
  })

  it('needs nothing from outside of the page', () => {
    const page: BridgedPage = { gatehouseCalls: () => assert.fail('nobody asked') }
    vm.runInNewContext(pageBridge, page)
    assert.deepEqual(Object.keys(page.gatehouse ?? {}), [
      'state',
      'leave',
      'checkPin',
      'setPin',
      'printers',
      'print',
    ])
  })
})
