/** A certificate for hooks.example.org that nobody has signed but itself, valid for a hundred years; for tests alone. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUFFNiq8D9Lnz5D2GeBkQsR6SBerEwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRaG9va3MuZXhhbXBsZS5vcmcwIBcNMjYxMTIxMTY1ODExWhgP
MjEyNjEwMjgxNjU4MTFaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUub3JnMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEz/NGrkyubGbRixfMwPhqdok3qtm7O60S
cnTXcVmbK+E72IsJu99WrvP4N6FCFZ1g62KPqihwtm9OD7a5RjoGAaNxMG8wHQYD
VR0OBBYEFIzzds1z4YzBMOFo4ITlAsjKN2tSMB8GA1UdIwQYMBaAFIzzds1z4YzB
MOFo4ITlAsjKN2tSMA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRaG9va3Mu
ZXhhbXBsZS5vcmcwCgYIKoZIzj0EAwIDSAAwRQIhALWLhnjvjbgO6SfLoydTSvEX
Ivftr+38ihbA9U8SMsPhAiAu8HzcS+eRsH3G2FHAjp59UckqPPDO79V9NiNA9vD4
Ww==
-----END CERTIFICATE-----
`

/** The key of it. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxfJRt2hRVtDWNl+y
qSrjEKnf/M5mwBUmhQX0quLyWemhRANCAATP80auTK5sZtGLF8zA+Gp2iTeq2bs7
rRJydNdxWZsr4TvYiwm731au8/g3oUIVnWDrYo+qKHC2b04PtrlGOgYB
-----END PRIVATE KEY-----
`
