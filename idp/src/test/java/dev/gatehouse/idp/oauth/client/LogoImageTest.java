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
    ByteArrayOutputStream scans = new ByteArrayOutputStream();
    scans.writeBytes(image(10, 10, "png"));
    assertThat(LogoImage.png(scans.toByteArray())).isPresent();
    for (int i = 0; i < 65; i++) {
      scans.writeBytes(new byte[] {(byte) 0xff, (byte) 0xda});
    }
    assertThat(LogoImage.png(scans.toByteArray())).as("more scans than a JPEG has").isEmpty();
  }
}
