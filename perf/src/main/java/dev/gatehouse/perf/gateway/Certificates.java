package dev.gatehouse.perf.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A self-signed certificate for 127.0.0.1 and its key, created by openssl; all servers use the same files. */
record Certificates(Path certificate, Path privateKey) {

  static Certificates rsa(Path directory) throws IOException, InterruptedException {
    return make(directory, "rsa", List.of("-newkey", "rsa:2048"));
  }

  static Certificates p256(Path directory) throws IOException, InterruptedException {
    return make(directory, "p256", List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"));
  }

  private static Certificates make(Path directory, String name, List<String> key) throws IOException, InterruptedException {
    Certificates made = new Certificates(directory.resolve(name + ".crt"), directory.resolve(name + ".key"));
    List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-nodes", "-days", "30"));
    command.addAll(key);
    command.addAll(List.of("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"));
    command.addAll(List.of("-keyout", made.privateKey().toString(), "-out", made.certificate().toString()));
    Process openssl = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (openssl.waitFor() != 0) {
      throw new IOException("openssl failed:\n" + said);
    }
    return made;
  }
}
