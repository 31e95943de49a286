import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { StrangeDatabase } from '../../server/storage/migrate.ts'
import { refuseNetworkDisk } from '../../server/storage/network-disk.ts'

describe('a data folder on a disk of another machine', () => {
  const refusal = (folder: string, type: number) =>
    refuseNetworkDisk(folder, async () => type).then(
      () => null,
      (cause: unknown) => cause,
    )

  // As the system gives them, of which some are less than nothing.
  for (const [name, type] of [
    ['NFS', 0x6969],
    ['SMB', 0x517b],
    ['SMB', 0xff534d42],
    ['SMB', 0xff534d42 | 0],
    ['SMB', 0xfe534d42],
  ] as const)
    it(`is refused with a sentence that says what to do: ${name} (${type})`, async () => {
      const cause = await refusal('/srv/data', type)
      assert.ok(cause instanceof StrangeDatabase)
      assert.match(cause.message, new RegExp(`/srv/data .*\\(${name}\\).*--data.*--database`))
    })

  it('is known on Windows by its path', async () => {
    for (const folder of ['\\\\server\\share', '//server/share'])
      assert.match(String(await refusal(folder, 0)), /another machine \(SMB\)/)
    for (const folder of ['C:\\data', '\\\\?\\C:\\data', '\\\\.\\C:\\data', 'data', '/data'])
      assert.equal(await refusal(folder, 0), null)
  })

  it('is not this one', async () => {
    assert.equal(await refuseNetworkDisk(tmpdir()), undefined)
    for (const type of [0xef53, 0x58465342, 0x9123683e, 0x794c7630, 0x01021994])
      assert.equal(await refusal('/srv/data', type), null)
  })
})
