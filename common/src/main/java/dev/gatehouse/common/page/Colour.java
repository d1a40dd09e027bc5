package dev.gatehouse.common.page;

/**
 * An sRGB colour with the contrast calculations of WCAG 2.2.
 *
 * @param red 0 to 255
 * @param green 0 to 255
 * @param blue 0 to 255
 */
record Colour(int red, int green, int blue) {

  static final Colour WHITE = new Colour(255, 255, 255);
  static final Colour BLACK = new Colour(0, 0, 0);

  /** Reads {@code #rrggbb}; throws {@link IllegalArgumentException} for anything else, so that no CSS can be injected. */
  static Colour of(String text) {
    if (text.length() != 7 || text.charAt(0) != '#') {
      throw new IllegalArgumentException("a colour is written #rrggbb");
    }
    for (int i = 1; i < 7; i++) {
      if (text.charAt(i) > 'f' || Character.digit(text.charAt(i), 16) < 0) {
        throw new IllegalArgumentException("a colour is written #rrggbb");
      }
    }
    int rgb = Integer.parseInt(text, 1, 7, 16);
    return new Colour(rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
  }

  /** Returns the relative luminance, 0 to 1. */
  double luminance() {
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  }

  /** Returns the contrast ratio, 1 to 21. */
  double contrast(Colour other) {
    double a = luminance();
    double b = other.luminance();
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  /** Returns black or white, whichever has more contrast on this colour. */
  Colour text() {
    return contrast(WHITE) >= contrast(BLACK) ? WHITE : BLACK;
  }

  /** Returns the colour nearest to this one, mixed with {@code end}, that has at least that contrast to the ground. */
  Colour readableOn(Colour ground, Colour end, double contrast) {
    for (int percent = 0; percent < 100; percent += 2) {
      Colour mixed = mix(end, percent);
      if (mixed.contrast(ground) >= contrast) {
        return mixed;
      }
    }
    return end;
  }

  private Colour mix(Colour other, int percent) {
    return new Colour(
        mix(red, other.red, percent), mix(green, other.green, percent), mix(blue, other.blue, percent));
  }

  private static int mix(int from, int to, int percent) {
    return from + (to - from) * percent / 100;
  }

  private static double linear(int channel) {
    double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  }

  /** Returns the colour in CSS notation. */
  @Override
  public String toString() {
    return String.format("#%02x%02x%02x", red, green, blue);
  }
}
