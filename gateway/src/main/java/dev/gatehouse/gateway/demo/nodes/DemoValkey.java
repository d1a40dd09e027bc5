package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.nodes.OwnProcess.End;
import java.nio.file.Path;
import java.util.List;

/** The demo's Valkey: one server that has every write on disk before it answers. */
final class DemoValkey {

  private DemoValkey() {}

  static OwnProcess start(Path program, Path folder, int port, String password) {
    ServerAccount account = ServerAccount.of("valkey", folder);
    account.folder(folder);
    Path file =
        account.write(
            folder.resolve("valkey.conf"),
            """
            bind 127.0.0.1
            port %d
            requirepass %s
            appendonly yes
            appendfsync always
            save ""
            maxmemory-policy noeviction
            zset-max-listpack-entries 512
            dir "%s"
            """
                .formatted(port, password, account.seen(folder)));
    return OwnProcess.start(
        "Valkey", ServerAccount.log(folder), account, End.TERM, End.TERM, List.of(program.toString(), account.seen(file).toString()));
  }
}
