// The difference of the account in one transaction.
>> {"jsonrpc":"2.0","id":1,"method":"v3.balanceChanges","params":{"tx_hash":"fNj3cyfcqzOxl6ZGPQ1MrVECHdoVgZUf+Vcpd0qJ030="}}
<< {"jsonrpc":"2.0","id":1,"result":{"changes":{"0:050C350D040C2B99B45CBDB6EE680D7E514D8C7176D6D26B708DAD031F344453":1999948332},"fees":{"0:050C350D040C2B99B45CBDB6EE680D7E514D8C7176D6D26B708DAD031F344453":51668},"jettons":{}}}
