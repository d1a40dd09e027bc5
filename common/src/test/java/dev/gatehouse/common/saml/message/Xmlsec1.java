package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The xmlsec1 tool, which shares no code with us. */
public final class Xmlsec1 {

  public static final String ASSERTION = "urn:oasis:names:tc:SAML:2.0:assertion:Assertion";
  public static final String PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol:";

  private final Path folder;

  public Xmlsec1(Path folder) {
    this.folder = folder;
  }

  /** Skips the test where the tool is not installed; under CI it must be. */
  public static void isThere() throws InterruptedException {
    boolean there;
    try {
      there = run(List.of("xmlsec1", "--version")) == 0;
    } catch (IOException e) {
      there = false;
    }
    if ("true".equals(System.getenv("CI"))) {
      assertThat(there).as("xmlsec1 is installed where nothing may be skipped").isTrue();
    }
    Assumptions.assumeTrue(there, "xmlsec1 is not installed (apt-get install xmlsec1)");
  }

  /**
   * Returns whether the key has signed the element.
   *
   * @param element namespace, colon and local name; the first of that name in the document
   */
  public boolean verifies(byte[] document, String element, SigningKey key) throws Exception {
    Path xml = Files.write(folder.resolve("document.xml"), document);
    Path certificate = pem("CERTIFICATE", key.certificate().getEncoded());
    String localName = element.substring(element.lastIndexOf(':') + 1);
    List<String> command = new ArrayList<>(List.of("xmlsec1", "--verify", "--id-attr:ID", element));
    command.addAll(
        List.of("--node-xpath", "(//*[local-name()='" + localName + "']/*[local-name()='Signature'])[1]"));
    command.addAll(List.of("--pubkey-cert-pem", certificate.toString(), xml.toString()));
    return run(command) == 0;
  }

  /** Returns whether it decrypts the only encrypted element; the whole document is then in plain form. */
  public boolean decrypts(Path xml, Path plain, SigningKey key) throws Exception {
    Path privateKey = pem("PRIVATE KEY", key.privateKey().getEncoded());
    return run(
            List.of(
                "xmlsec1", "--decrypt", "--privkey-pem", privateKey.toString(), "--output", plain.toString(),
                xml.toString()))
        == 0;
  }

  private Path pem(String what, byte[] encoded) throws IOException {
    String base64 = Base64.getMimeEncoder().encodeToString(encoded);
    return Files.writeString(
        folder.resolve(what + ".pem"), "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n");
  }

  private static int run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("xmlsec1 does not answer");
    }
    return process.exitValue();
  }
}
