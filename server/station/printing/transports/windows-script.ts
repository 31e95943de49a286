/**
 * Sends what is read from standard input to a queue of the Windows spooler as it is; with no input it looks how the queue
 * is. Says one word: `ready`, `sent`, or what keeps it from printing. A queue whose printer is unplugged accepts everything
 * without a word, so it is looked at first; and what was written is counted.
 */
const script = `
$ErrorActionPreference = 'Stop'
Add-Type -TypeDefinition @'
using System;
using System.Runtime.InteropServices;
public static class Spooler {
  [StructLayout(LayoutKind.Sequential, CharSet = CharSet.Unicode)]
  public struct DocInfo { public string Name; public string Output; public string Type; }
  [DllImport("winspool.drv", CharSet = CharSet.Unicode, SetLastError = true)]
  public static extern bool OpenPrinterW(string name, out IntPtr printer, IntPtr defaults);
  [DllImport("winspool.drv", SetLastError = true)]
  public static extern bool ClosePrinter(IntPtr printer);
  [DllImport("winspool.drv", CharSet = CharSet.Unicode, SetLastError = true)]
  public static extern bool GetPrinterW(IntPtr printer, int level, IntPtr into, int size, out int needed);
  [DllImport("winspool.drv", CharSet = CharSet.Unicode, SetLastError = true)]
  public static extern int StartDocPrinterW(IntPtr printer, int level, ref DocInfo info);
  [DllImport("winspool.drv", SetLastError = true)]
  public static extern bool StartPagePrinter(IntPtr printer);
  [DllImport("winspool.drv", SetLastError = true)]
  public static extern bool WritePrinter(IntPtr printer, byte[] bytes, int count, out int written);
  [DllImport("winspool.drv", SetLastError = true)]
  public static extern bool EndPagePrinter(IntPtr printer);
  [DllImport("winspool.drv", SetLastError = true)]
  public static extern bool EndDocPrinter(IntPtr printer);
}
'@
$queue = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String('QUEUE'))
$memory = New-Object IO.MemoryStream
[Console]::OpenStandardInput().CopyTo($memory)
$bytes = $memory.ToArray()
$printer = [IntPtr]::Zero
if (-not [Spooler]::OpenPrinterW($queue, [ref]$printer, [IntPtr]::Zero)) { 'unreachable'; exit }
try {
  # PRINTER_INFO_6 is the status alone.
  $room = [Runtime.InteropServices.Marshal]::AllocHGlobal(16)
  $needed = 0
  if (-not [Spooler]::GetPrinterW($printer, 6, $room, 16, [ref]$needed)) { 'unreachable'; exit }
  $status = [Runtime.InteropServices.Marshal]::ReadInt32($room)
  $attributes = (Get-CimInstance Win32_Printer | Where-Object { $_.Name -eq $queue }).WorkOffline
  if ($status -band 0x10 -or $status -band 0x40 -or $status -band 0x8) { 'paper'; exit }
  if ($status -band 0x400000) { 'open'; exit }
  if ($attributes -or $status -band 0x80 -or $status -band 0x1000) { 'unreachable'; exit }
  if ($status -band 0x1 -or $status -band 0x2 -or $status -band 0x100000) { 'offline'; exit }
  if ($bytes.Length -eq 0) { 'ready'; exit }
  $info = New-Object Spooler+DocInfo
  $info.Name = 'Gatehouse'
  $info.Type = 'RAW'
  if ([Spooler]::StartDocPrinterW($printer, 1, [ref]$info) -le 0) { 'unfit'; exit }
  $written = 0
  $whole = [Spooler]::StartPagePrinter($printer)
  $whole = $whole -and [Spooler]::WritePrinter($printer, $bytes, $bytes.Length, [ref]$written)
  $whole = [Spooler]::EndPagePrinter($printer) -and $whole
  $whole = [Spooler]::EndDocPrinter($printer) -and $whole
  if ($whole -and $written -eq $bytes.Length) { 'sent' } else { 'broken-off' }
} finally { [void][Spooler]::ClosePrinter($printer) }
`

/** The arguments with which PowerShell does that for a queue: its name cannot be taken for a part of the script. */
export function spoolerArguments(queue: string): readonly string[] {
  const whole = script.replace('QUEUE', Buffer.from(queue, 'utf8').toString('base64'))
  const encoded = Buffer.from(whole, 'utf16le').toString('base64')
  return ['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand', encoded]
}
