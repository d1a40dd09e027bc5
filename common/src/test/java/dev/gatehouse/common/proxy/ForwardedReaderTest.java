package dev.gatehouse.common.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForwardedReaderTest {

  private static List<ForwardedElement> read(String... lines) {
    return ForwardedReader.read(List.of(lines)).orElseThrow();
  }

  private static ForwardedElement of(String client) {
    return new ForwardedElement(Optional.of(InetAddress.ofLiteral(client)), Optional.empty(), Optional.empty());
  }

  /** Section 4 of RFC 7239. */
  @Test
  void readsTheExamplesOfTheSpecification() {
    assertThat(read("for=\"_gazonk\"")).containsExactly(new ForwardedElement(Optional.empty(), Optional.empty(), Optional.empty()));
    assertThat(read("For=\"[2001:db8:cafe::17]:4711\"")).containsExactly(of("2001:db8:cafe::17"));
    assertThat(read("for=192.0.2.60;proto=http;by=203.0.113.43"))
        .containsExactly(new ForwardedElement(Optional.of(InetAddress.ofLiteral("192.0.2.60")), Optional.of("http"), Optional.empty()));
    assertThat(read("for=192.0.2.43, for=198.51.100.17")).containsExactly(of("192.0.2.43"), of("198.51.100.17"));
  }

  @Test
  void severalLinesAreOneList() {
    assertThat(read("for=192.0.2.1", "for=192.0.2.2,for=192.0.2.3"))
        .containsExactly(of("192.0.2.1"), of("192.0.2.2"), of("192.0.2.3"));
    assertThat(read()).isEmpty();
    assertThat(read("")).isEmpty();
    assertThat(read(" , for=192.0.2.1 ,,\t")).containsExactly(of("192.0.2.1"));
  }

  @Test
  void valuesMayBeQuoted() {
    assertThat(read("host=\"app.example:8443\";PROTO=HTTPS;secret=\"a\\\",for=\\\\1.2.3.4\";for=\"1\\92.0.2.1\""))
        .containsExactly(
            new ForwardedElement(
                Optional.of(InetAddress.ofLiteral("192.0.2.1")), Optional.of("https"), Optional.of("app.example:8443")));
    assertThat(read("for=\"[::ffff:192.0.2.1]\"")).containsExactly(of("192.0.2.1"));
    assertThat(read("for=\"192.0.2.1:_x\";by=unknown;")).containsExactly(of("192.0.2.1"));
    assertThat(read("for=unknown")).first().extracting(ForwardedElement::client).isEqualTo(Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "for", "for=", "=1.2.3.4", "for = 1.2.3.4", "for=1.2.3.4 ;proto=http", "for=1.2.3.4; proto=http", "for=1.2.3.4;for=1.2.3.5",
    "for=1.2.3.4;For=1.2.3.4", "for=\"1.2.3.4", "for=\"1.2.3.4\\", "for=\"1.2.3.4\"x", "for=[::1]", "for=::1", "for=\"::1\"",
    "for=1.2.3.4:80", "for=\"1.2.3.4:\"", "for=\"1.2.3.4:123456\"", "for=\"[::1]80\"", "for=\"[::1\"", "for=\"[1.2.3.4]\"",
    "for=\"[fe80::1%1]\"", "for=1.2.3", "for=01.2.3.4", "for=1.2.3.256", "for=app.example", "for=_", "for=\"_a b\"", "for=\"\"",
    "proto=ftp", "proto=\"\"", "by=somebody", "for=1.2.3.4 for=1.2.3.5", "\"for\"=1.2.3.4", "host=a\u0001", "host=\"a\u0001\"",
    "host=\"a\\\u0001\"", "ho st=a", "for=1.2.3.4, x"})
  void refusesWhatTheGrammarDoesNotProduce(String value) {
    assertThat(ForwardedReader.read(List.of(value))).isEmpty();
  }
}
