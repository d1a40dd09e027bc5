package dev.gatehouse.common.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageSizeTest {

  @ParameterizedTest
  @CsvSource({"png,png,300,20", "jpg,jpeg,17,1000"})
  void ofWhatTheJdkWrites(String format, String type, int width, int height) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), format, out);

    assertThat(ImageSize.ofDataUrl(url(type, out.toByteArray()))).contains(new ImageSize(width, height));
  }

  @Test
  void ofDrawings() {
    String svg = "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 119.6 40'><path/></svg>";

    assertThat(ImageSize.ofDataUrl(url("svg+xml", svg.getBytes(StandardCharsets.UTF_8))))
        .contains(new ImageSize(120, 40));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "x", "<svg/>", "<svg viewBox='0 0 a b'/>", "<svg viewBox='0 0 1.2.3 4'/>", "<svg viewBox='0 0 0 0'/>"
      })
  void whereItIsNotSaid(String content) {
    for (String type : new String[] {"png", "jpeg", "svg+xml", "webp"}) {
      assertThat(ImageSize.ofDataUrl(url(type, content.getBytes(StandardCharsets.UTF_8)))).isEmpty();
    }
    assertThat(ImageSize.ofDataUrl("data:text/plain;base64,AAAA")).isEmpty();
  }

  private static String url(String type, byte[] image) {
    return "data:image/" + type + ";base64," + Base64.getEncoder().encodeToString(image);
  }
}
