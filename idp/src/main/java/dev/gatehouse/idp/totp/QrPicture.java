package dev.gatehouse.idp.totp;

import io.nayuki.qrcodegen.QrCode;

/**
 * A QR code (ISO/IEC 18004) as one path of an SVG picture.
 *
 * @param side of the view box in modules, including the quiet zone of four modules on each side
 * @param path the dark modules
 */
public record QrPicture(int side, String path) {

  private static final int QUIET = 4;

  public static QrPicture of(String text) {
    QrCode code = QrCode.encodeText(text, QrCode.Ecc.MEDIUM);
    StringBuilder path = new StringBuilder();
    for (int y = 0; y < code.size; y++) {
      int x = 0;
      while (x < code.size) {
        int from = x;
        while (x < code.size && code.getModule(x, y)) {
          x++;
        }
        if (x > from) {
          int width = x - from;
          path.append('M').append(from + QUIET).append(' ').append(y + QUIET).append('h').append(width)
              .append("v1h-").append(width).append('z');
        } else {
          x++;
        }
      }
    }
    return new QrPicture(code.size + 2 * QUIET, path.toString());
  }

  @Override
  public String toString() {
    return "***";
  }
}
