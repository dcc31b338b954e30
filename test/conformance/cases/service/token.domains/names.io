// Which of these are names.
>> {"jsonrpc":"2.0","id":1,"method":"token.domains","params":{"address":["EQAowUpYnW7KqrD80axQEWHN-dPyw8xXsDOCTzW7Tqx31_aK","0:e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2","EQCkg-9wk0_DbNi9VdhByyKbdlkZdSANdhSdxV4GDPmSrw_X"]}}
<< {"jsonrpc":"2.0","id":1,"result":{"domains":[{"address":"0:28C14A589D6ECAAAB0FCD1AC501161CDF9D3F2C3CC57B033824F35BB4EAC77D7","domain":"oak.ton"},{"address":"0:E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2E2","domain":"birch.ton"}]}}
