package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A self-signed certificate for addresses of this machine and its key, created by openssl; all servers use the same files. */
public record Certificates(Path certificate, Path privateKey) {

  public static Certificates rsa(Path directory) throws IOException, InterruptedException {
    return create(directory, "rsa", "-newkey", "rsa:2048");
  }

  public static Certificates p256(Path directory) throws IOException, InterruptedException {
    return create(directory, "p256", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1");
  }

  /** Creates one for several addresses. */
  public static Certificates p256(Path directory, List<String> addresses) throws IOException, InterruptedException {
    return create(directory, "p256", addresses, "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1");
  }

  private static Certificates create(Path directory, String name, String... key) throws IOException, InterruptedException {
    return create(directory, name, List.of("127.0.0.1"), key);
  }

  private static Certificates create(Path directory, String name, List<String> addresses, String... key) throws IOException, InterruptedException {
    Certificates created = new Certificates(directory.resolve(name + ".crt"), directory.resolve(name + ".key"));
    List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-days", "30"));
    command.addAll(List.of(key));
    String names = addresses.stream().map(address -> "IP:" + address).collect(Collectors.joining(","));
    command.addAll(List.of("-subj", "/CN=" + addresses.getFirst(), "-addext", "subjectAltName=" + names));
    command.addAll(List.of("-keyout", created.privateKey().toString(), "-out", created.certificate().toString()));
    Commands.output(command);
    return created;
  }
}
