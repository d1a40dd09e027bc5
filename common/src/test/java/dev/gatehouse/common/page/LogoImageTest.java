package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be a logo, and what an attacker would like to be one. */
final class LogoImageTest {

  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0};

  private static byte[] svg(String content) {
    return ("<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">" + content + "</svg>")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theContentDecidesWhatAnImageIs() {
    assertThat(LogoImage.PNG.problem(PNG)).isEmpty();
    assertThat(LogoImage.JPEG.problem(new byte[] {(byte) 0xff, (byte) 0xd8, (byte) 0xff, 0})).isEmpty();
    assertThat(LogoImage.WEBP.problem("RIFF....WEBPVP8 ".getBytes(StandardCharsets.ISO_8859_1))).isEmpty();
    assertThat(LogoImage.SVG.problem(PNG)).contains("is not a svg image, but a png image");
    assertThat(LogoImage.PNG.problem("<html>".getBytes(StandardCharsets.UTF_8))).contains("is not a png image, but something else");
    assertThat(LogoImage.PNG.problem(Arrays.copyOf(PNG, LogoImage.LARGEST + 1))).contains("is larger than 64 KB");
    assertThat(LogoImage.ofName("a/Logo.JPEG")).contains(LogoImage.JPEG);
    assertThat(LogoImage.ofName("logo.bmp")).isEmpty();
  }

  @Test
  void anOrdinarySvgImage() {
    String gradient = "<defs><linearGradient id='a'><stop offset='1'/></linearGradient></defs><rect fill='url(#a)'/><use xlink:href='#a'/>";
    assertThat(LogoImage.SVG.problem(svg("<style>.a{fill:url(#a)}</style>" + gradient + "<title>A</title>"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "<SCRIPT/>",
        "<foreignObject/>",
        "<p xmlns='http://www.w3.org/1999/xhtml'/>",
        "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
        "<path onclick='alert(1)'/>",
        "<path ONLOAD='alert(1)'/>",
        "<a href='javascript:alert(1)'/>",
        "<use href='https://evil.example/x.svg#a'/>",
        "<use xlink:href='data:image/svg+xml,x'/>",
        "<image href='https://evil.example/x.png'/>",
        "<animate attributeName='href'/>",
        "<set attributeName='onload'/>",
        "<rect fill='url(https://evil.example/)'/>",
        "<rect style='fill:url( \"//evil.example\")'/>",
        "<style>@import 'https://evil.example/'</style>",
        "<style><![CDATA[a{b:url(//evil.example)}]]></style>",
        "<style>a{b:u\\72l(//evil.example)}</style>",
        "<?xml-stylesheet href='https://evil.example/'?>",
        "<iframe/>",
        "<unclosed>"
      })
  void nothingButADrawing(String content) {
    assertThat(LogoImage.SVG.problem(svg(content))).isPresent();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg>&a;</svg> | DOCTYPE",
        "<html><svg/></html> | no SVG",
        "<svg | well-formed"
      })
  void noDocumentOfAnotherKind(String document, String why) {
    assertThat(LogoImage.SVG.problem(document.getBytes(StandardCharsets.UTF_8)).orElseThrow()).contains(why);
  }
}
