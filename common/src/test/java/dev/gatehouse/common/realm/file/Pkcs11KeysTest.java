package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.Pkcs11Config;
import dev.gatehouse.common.node.Pkcs11Config.Pin;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken.State;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken.Use;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code pkcs11} of a node and of {@code keys} of a realm. */
class Pkcs11KeysTest {

  @TempDir private Path path = Path.of("");

  private ConfigurationFolder node(String keys) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.write("gatehouse.yaml", "pkcs11:\n" + keys);
    return folder;
  }

  private ConfigurationFolder realm(String keys) {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo("sp:\n", "keys:\n" + keys + "sp:\n");
    return folder;
  }

  @Test
  void aTokenHasALibraryALabelAndAPlaceOfItsPin() {
    assertThat(node("  hsm: {library: lib.so, token: my token, pinFile: pin}\n  other: {library: /lib.so, token: x, pinVariable: PIN, threads: 8}\n")
            .load().node().state().tokens())
        .containsExactlyInAnyOrder(
            new Pkcs11Config("hsm", path.resolve("lib.so"), "my token", new Pin.File(path.resolve("pin")), 4),
            new Pkcs11Config("other", Path.of("/lib.so"), "x", new Pin.Variable("PIN"), 8));
  }

  @Test
  void mistakesOfATokenAreNamed() {
    assertThat(node("  hsm: {token: x, pinFile: pin}\n").problems()).singleElement().asString().contains("pkcs11.hsm.library", "is missing");
    assertThat(node("  hsm: {library: lib.so, token: x}\n").problems()).singleElement().asString()
        .contains("pkcs11.hsm.pinFile", "is missing", "write either pinFile: FILE or pinVariable: NAME");
    assertThat(node("  hsm: {library: lib.so, token: x, pinFile: pin, pinVariable: PIN}\n").problems()).singleElement().asString()
        .contains("stands beside pinVariable");
    assertThat(node("  hsm: {library: l, token: x, pinFile: p}\n  b: {library: l, token: x, pinFile: p}\n").problems()).singleElement()
        .asString().contains("is there twice with this library");
  }

  @Test
  void aRealmNamesKeysInTokens() {
    assertThat(
            realm("  pkcs11:\n  - {token: hsm, label: a}\n  - {token: hsm, use: signing, state: next, label: b}\n"
                    + "  - {token: hsm, use: tokensP256, label: c}\n  formerKeys: keep\n")
                .realm().keys())
        .satisfies(
            keys -> {
              assertThat(keys.isFormerKept()).isTrue();
              assertThat(keys.inTokens())
                  .containsExactly(
                      new KeyInToken("hsm", Use.SIGNING, State.CURRENT, "a", Optional.empty()),
                      new KeyInToken("hsm", Use.SIGNING, State.NEXT, "b", Optional.empty()),
                      new KeyInToken("hsm", Use.TOKENS_P256, State.CURRENT, "c", Optional.empty()));
            });
  }

  @Test
  void mistakesOfARealmAreNamed() {
    assertThat(realm("  pkcs11:\n  - {token: hsm}\n").problems()).singleElement().asString().contains("label", "is missing");
    assertThat(realm("  pkcs11:\n  - {token: hsm, label: a}\n  - {token: hsm, label: b}\n").problems()).singleElement().asString()
        .contains("has two keys for one use that are current", "write another state");
    assertThat(realm("  formerKeys: keep\n").problems()).singleElement().asString().contains("has no effect without pkcs11");
    assertThat(realm("  pkcs11:\n  - {token: hsm, label: a, certificate: none.pem}\n").problems()).singleElement().asString()
        .contains("certificate");
  }
}
