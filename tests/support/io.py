"""What programs of UPC-IO are to say."""

# Arguments that are single-valued; who comes second says what the other one has.
DIFFERENCES = ["upc_all_fseek: offset is (5, but 4|4, but 5) on thread [01]",
               "upc_all_fread_shared: nmemb is (8, but 4|4, but 8) on thread [01]",
               "upc_all_fset_size: size is (65, but 64|64, but 65) on thread [01]",
               r"upc_all_fcntl: cmd is (\d+), but \d+ on thread [01]",
               "upc_all_fread_(local, but thread 0 calls upc_all_fread_shared|shared, but thread 1 calls upc_all_fread_local)",
               r"upc_all_fopen: flags is \d+, but \d+ on thread [01]",
               "upc_all_fopen: fname leads to another file than on thread 0",
               "upc_all_fsync: fd is another file than on thread [01]",
               "upc_all_fread_shared: the thread of buffer is (1, but 0|0, but 1) on thread [01]",
               r"upc_all_fopen: \*hints is another than on thread [01]",
               "upc_all_fopen: numhints is (1, but 2|2, but 1) on thread [01]",
               r"upc_all_fcntl: \*arg is another than on thread [01]",
               "upc_all_f(read|write)_list_shared, but thread [01] calls upc_all_f(read|write)_list_shared",
               "upc_all_fread_list_local: UPC_ASYNC in flags is (1, but 0|0, but 1) on thread [01]",
               "upc_all_f(sync, but thread 0 calls upc_all_fseek|seek, but thread 1 calls upc_all_fsync)",
               "upc_all_fread_local: flags is (36, but 0|0, but 36) on thread [01]"]
