package dev.gatehouse.gateway.demo.nodes;

import dev.gatehouse.gateway.demo.nodes.OwnProcess.End;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The demo's balancer: each request goes to the next node, whoever sends it. */
final class DemoHaproxy {

  private DemoHaproxy() {}

  /** @param tls folder of the demo's certificate and its key */
  static OwnProcess start(Path program, Path folder, Path tls, NodePorts ports, int nodes) {
    ServerAccount account = ServerAccount.of("haproxy", folder);
    account.folder(folder);
    try {
      account.write(folder.resolve("demo.pem"), Files.readString(tls.resolve("demo.crt")) + Files.readString(tls.resolve("demo.key")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path file = account.write(folder.resolve("haproxy.cfg"), configuration(account.seen(folder), ports, nodes));
    return OwnProcess.start(
        "HAProxy", ServerAccount.log(folder), account, End.KILL, End.TERM,
        List.of(program.toString(), "-db", "-f", account.seen(file).toString()));
  }

  static String configuration(Path folder, NodePorts ports, int nodes) {
    return ports
        .people()
        .fillIn(Folders.template("haproxy.cfg"))
        .replace("@certificate@", folder.resolve("demo.pem").toAbsolutePath().toString())
        .replace("@idpNodes@", servers(ports, nodes, NodePorts.OfNode::idp))
        .replace("@gatewayNodes@", servers(ports, nodes, NodePorts.OfNode::gateway))
        .replace("@adminNodes@", servers(ports, nodes, NodePorts.OfNode::admin));
  }

  private static String servers(NodePorts ports, int nodes, ToIntFunction<NodePorts.OfNode> port) {
    return IntStream.rangeClosed(1, nodes)
        .mapToObj(
            node ->
                "  server node-" + node + " 127.0.0.1:" + port.applyAsInt(ports.node(node)) + " check port " + ports.node(node).metrics())
        .collect(Collectors.joining("\n"));
  }
}
