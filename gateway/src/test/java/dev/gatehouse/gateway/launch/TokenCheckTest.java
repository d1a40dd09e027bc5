package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gatehouse.common.pkcs11.SoftHsm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code check}, {@code keys} and a start say of keys in a token of SoftHSM. */
@Timeout(120)
class TokenCheckTest {

  @TempDir private Path path = Path.of("");

  @Test
  void checkFindsEachKeyAndAStartIsRefusedWithoutThem() throws IOException {
    assumeThat(SoftHsm.isInstalled()).isTrue();
    SoftHsm.generate(SoftHsm.token("check"), "staff", List.of("-keyalg", "EC", "-groupname", "secp256r1"), false);
    Path pin = path.resolve("pin");
    Files.writeString(pin, SoftHsm.PIN);
    CommandFolder folder =
        new CommandFolder(path, "pkcs11: {hsm: {library: " + SoftHsm.LIBRARY + ", token: check, pinFile: " + pin + "}}\n");
    Path realm = folder.config.resolve("realms/demo.yaml");
    String sample = Files.readString(realm);
    Files.writeString(realm, sample + "\nkeys: {pkcs11: [{token: hsm, label: staff}]}\n");
    String config = folder.config.toString();
    assertThat(folder.run("check", "--config", config)).as(folder.out.toString()).isZero();
    assertThat(folder.run("keys", "list", "--config", config)).isZero();
    assertThat(folder.out.toString()).containsPattern("demo IDP_SIGNING +configured +[0-9a-f]{16} +P_256");
    assertThat(folder.run("keys", "prepare", "--config", config, "--realm", "demo", "--use", "IDP_SIGNING")).isEqualTo(1);
    assertThat(folder.err.toString()).contains("rotate it by configuring another one");

    Files.writeString(realm, sample + "\nkeys: {pkcs11: [{token: hsm, label: stuff}, {token: safe, use: tokensRsa, label: x}]}\n");
    assertThat(folder.run("check", "--config", config)).isEqualTo(1);
    assertThat(folder.out.toString()).contains("realms/demo.yaml: keys.pkcs11[0].label: cannot be used — The token hsm has no private key with the label stuff: make one in it")
        .contains("keys.pkcs11[1].token: cannot be used — A realm names the PKCS#11 token safe, which gatehouse.yaml does not have (it has: hsm)");

    Files.writeString(pin, "wrong");
    assertThat(folder.run("run", "--config", config)).isEqualTo(1);
    assertThat(folder.err.toString()).contains("The token hsm refused the PIN", "write the right one into " + pin, "The node was not started.")
        .doesNotContain("wrong\n");
    assertThat(folder.run("check", "--config", config)).isEqualTo(1);
    assertThat(folder.out.toString()).contains("The token hsm refused this PIN before");
  }
}
