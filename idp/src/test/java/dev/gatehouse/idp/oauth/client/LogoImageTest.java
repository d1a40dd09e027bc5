package dev.gatehouse.idp.oauth.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class LogoImageTest {

  private static byte[] image(int width, int height, String format) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    assertThat(ImageIO.write(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), format, bytes)).isTrue();
    return bytes.toByteArray();
  }

  @Test
  void anImageIsScaledAndWrittenAnew() throws IOException {
    for (String format : new String[] {"png", "jpeg", "gif"}) {
      Optional<byte[]> made = LogoImage.png(image(640, 96, format));
      BufferedImage seen = ImageIO.read(new ByteArrayInputStream(made.orElseThrow()));
      assertThat(seen.getWidth()).isEqualTo(320);
      assertThat(seen.getHeight()).isEqualTo(48);
    }
  }

  @Test
  void whatWouldComputeLongIsNotDecoded() throws IOException {
    assertThat(LogoImage.png(image(1025, 10, "png"))).as("too wide").isEmpty();
    assertThat(LogoImage.png(withScans(image(10, 10, "jpeg"), 10))).isPresent();
    assertThat(LogoImage.png(withScans(image(10, 10, "jpeg"), 65))).as("more scans than a JPEG has").isEmpty();
    assertThat(LogoImage.png(withScans(image(10, 10, "png"), 65))).as("colours, where it is no JPEG").isPresent();
  }

  /** The image, with markers of scans after its end. */
  private static byte[] withScans(byte[] image, int scans) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(image);
    for (int i = 0; i < scans; i++) {
      bytes.writeBytes(new byte[] {(byte) 0xff, (byte) 0xda});
    }
    return bytes.toByteArray();
  }
}
