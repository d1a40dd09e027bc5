package dev.gatehouse.common.saml.metadata;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The size of a logo in pixels, which mdui:Logo must state. It is read from the head of PNG, JPEG and SVG files and is unknown
 * for others.
 *
 * @param width at least 1, as is {@code height}
 */
record ImageSize(int width, int height) {

  private static final Pattern VIEW_BOX =
      Pattern.compile(
          "<svg[^>]*?\\bviewBox\\s*=\\s*[\"'][-0-9.]+[ ,]+[-0-9.]+[ ,]+([0-9.]{1,9})[ ,]+([0-9.]{1,9})[\"']");

  private static final int JPEG_START = 0xFFD8;
  private static final long PNG_START = 0x89504E470D0A1A0AL;

  /** @param url a {@code data:} URL in base64 */
  static Optional<ImageSize> ofDataUrl(String url) {
    int comma = url.indexOf(";base64,");
    if (!url.startsWith("data:image/") || comma < 0) {
      return Optional.empty();
    }
    byte[] image = Base64.getDecoder().decode(url.substring(comma + ";base64,".length()));
    return switch (url.substring("data:image/".length(), comma)) {
      case "png" -> png(ByteBuffer.wrap(image));
      case "jpeg" -> jpeg(ByteBuffer.wrap(image));
      case "svg+xml" -> svg(new String(image, StandardCharsets.UTF_8));
      default -> Optional.empty();
    };
  }

  /** IHDR is the first chunk (PNG, section 11.2.2). */
  private static Optional<ImageSize> png(ByteBuffer image) {
    return image.limit() >= 24 && image.getLong(0) == PNG_START
        ? of(image.getInt(16), image.getInt(20))
        : Optional.empty();
  }

  /** The first frame header (ITU-T T.81, B.2.2): SOF0 to SOF15 without DHT, JPG and DAC. */
  private static Optional<ImageSize> jpeg(ByteBuffer image) {
    if (image.limit() < 4 || (image.getShort(0) & 0xFFFF) != JPEG_START) {
      return Optional.empty();
    }
    int at = 2;
    while (at + 9 <= image.limit() && (image.get(at) & 0xFF) == 0xFF) {
      int marker = image.get(at + 1) & 0xFF;
      boolean frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
      if (frame) {
        return of(image.getShort(at + 7) & 0xFFFF, image.getShort(at + 5) & 0xFFFF);
      }
      at += marker == 0xFF ? 1 : 2 + (image.getShort(at + 2) & 0xFFFF);
    }
    return Optional.empty();
  }

  private static Optional<ImageSize> svg(String image) {
    Matcher box = VIEW_BOX.matcher(image);
    try {
      return box.find()
          ? of((int) Math.round(Double.parseDouble(box.group(1))), (int) Math.round(Double.parseDouble(box.group(2))))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<ImageSize> of(int width, int height) {
    return width > 0 && height > 0 ? Optional.of(new ImageSize(width, height)) : Optional.empty();
  }
}
