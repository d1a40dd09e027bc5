package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.compute.Busy;
import dev.gatehouse.common.compute.ComputingThreads;
import dev.gatehouse.common.compute.Turn;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/**
 * Creates a new PNG from an untrusted image, so that only the pixels survive. An image that would be large in memory is
 * not decoded, and only one image is decoded at a time, on a thread of its own: readers of images compute for tens of milliseconds.
 */
final class LogoImage {

  private static final Set<String> FORMATS = Set.of("png", "jpeg", "gif");
  private static final int MAX_SIDE = 1024;
  private static final int WIDTH = 320;
  private static final int HEIGHT = 96;

  /** Parts of a progressive JPEG, each of which goes over the whole image; usual ones have ten. A small file could have ten thousand. */
  private static final int MAX_SCANS = 64;

  private static final int MAX_WAITING = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Turn ONE_AT_A_TIME = new Turn(ComputingThreads.of("logo-", 1), MAX_WAITING, PATIENCE);

  private LogoImage() {}

  /**
   * Returns the PNG; empty if the input is not a PNG, JPEG or GIF of at most 1024 pixels per side.
   *
   * @throws Busy if others' images take too long
   */
  static Optional<byte[]> png(byte[] image) {
    return scans(image) > MAX_SCANS ? Optional.empty() : ONE_AT_A_TIME.take(() -> made(image));
  }

  /** Counts the markers that begin a scan of a JPEG (ITU-T T.81, table B.1); what is compressed has them escaped. */
  private static int scans(byte[] image) {
    if (image.length < 2 || image[0] != (byte) 0xff || image[1] != (byte) 0xd8) {
      return 0;
    }
    int scans = 0;
    for (int i = 1; i < image.length; i++) {
      if (image[i - 1] == (byte) 0xff && image[i] == (byte) 0xda) {
        scans++;
      }
    }
    return scans;
  }

  private static Optional<byte[]> made(byte[] image) {
    try {
      Optional<BufferedImage> read = read(image);
      return read.isEmpty() ? Optional.empty() : Optional.of(written(scaled(read.get())));
    } catch (IOException | RuntimeException e) {
      // The JDK's readers throw both for damaged images.
      return Optional.empty();
    } catch (LinkageError e) {
      // A JDK without java.desktop's native parts: no logos, but everything else works.
      return Optional.empty();
    }
  }

  private static Optional<BufferedImage> read(byte[] image) throws IOException {
    // Not ImageIO.createImageInputStream, which may write files.
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(image))) {
      for (Iterator<ImageReader> readers = ImageIO.getImageReaders(in); readers.hasNext(); ) {
        ImageReader reader = readers.next();
        try {
          if (FORMATS.contains(reader.getFormatName().toLowerCase(java.util.Locale.ROOT))) {
            reader.setInput(in, true, true);
            return isSmall(reader) ? Optional.of(reader.read(0)) : Optional.empty();
          }
        } finally {
          reader.dispose();
        }
      }
    }
    return Optional.empty();
  }

  private static boolean isSmall(ImageReader reader) throws IOException {
    int width = reader.getWidth(0);
    int height = reader.getHeight(0);
    return width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE;
  }

  /** Scales down if necessary, never up. */
  private static BufferedImage scaled(BufferedImage from) {
    double scale = Math.min(1, Math.min((double) WIDTH / from.getWidth(), (double) HEIGHT / from.getHeight()));
    int width = Math.max(1, (int) Math.round(from.getWidth() * scale));
    int height = Math.max(1, (int) Math.round(from.getHeight() * scale));
    BufferedImage to = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    Graphics2D graphics = to.createGraphics();
    try {
      graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
      graphics.drawImage(from, 0, 0, width, height, null);
    } finally {
      graphics.dispose();
    }
    return to;
  }

  private static byte[] written(BufferedImage image) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageIO.write(image, "png", out);
    }
    return bytes.toByteArray();
  }
}
