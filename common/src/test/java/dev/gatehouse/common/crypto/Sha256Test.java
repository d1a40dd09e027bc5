package dev.gatehouse.common.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.store.Race;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FIPS 180-4, with its example, by instances that are reused. */
class Sha256Test {

  private static String byNewInstance(String text) {
    return HexFormat.of().formatHex(Sha256.instance().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void textsHaveTheDigestsOfTheStandard() {
    for (int i = 0; i < 3; i++) {
      assertThat(Sha256.hex("abc")).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
      assertThat(Sha256.hex("")).isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
      assertThat(Sha256.base64Url("")).isEqualTo("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
    }
  }

  @Test
  void manyHashAtOnce() throws Exception {
    List<Boolean> answers =
        Race.of(
            200,
            i ->
                () -> {
                  String text = "text ".repeat(20 * i);
                  return Sha256.hex(text).equals(byNewInstance(text));
                });
    assertThat(answers).containsOnly(true);
  }
}
