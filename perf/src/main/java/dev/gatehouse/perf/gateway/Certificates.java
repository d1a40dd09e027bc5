package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A self-signed certificate for 127.0.0.1 and its key, created by openssl; all servers use the same files. */
public record Certificates(Path certificate, Path privateKey) {

  public static Certificates rsa(Path directory) throws IOException, InterruptedException {
    return create(directory, "rsa", "-newkey", "rsa:2048");
  }

  public static Certificates p256(Path directory) throws IOException, InterruptedException {
    return create(directory, "p256", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1");
  }

  private static Certificates create(Path directory, String name, String... key) throws IOException, InterruptedException {
    Certificates created = new Certificates(directory.resolve(name + ".crt"), directory.resolve(name + ".key"));
    List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-days", "30"));
    command.addAll(List.of(key));
    command.addAll(List.of("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"));
    command.addAll(List.of("-keyout", created.privateKey().toString(), "-out", created.certificate().toString()));
    Commands.output(command);
    return created;
  }
}
