// Loaded by the quick check alone, before any test.
process.env.GATEHOUSE_TEST_QUICK = 'yes'
