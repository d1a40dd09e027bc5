package dev.gatehouse.common.page;

import dev.gatehouse.common.realm.ThemeConfig;
import dev.gatehouse.common.realm.ThemeConfig.Colours;
import java.util.ArrayList;
import java.util.List;

/**
 * How well text can be read on its background (WCAG 2.2, success criterion 1.4.3, level AA).
 *
 * @param scheme {@code light} or {@code dark}
 * @param ground what the text stands on: {@code card} or {@code background}
 * @param ratio 1 to 21
 */
public record Contrast(String scheme, String ground, double ratio) {

  /** The least ratio of text. */
  public static final double LEAST = 4.5;

  /** Returns the contrasts of a theme's colours; those that it does not have are ours. */
  public static List<Contrast> of(ThemeConfig theme) {
    List<Contrast> all = new ArrayList<>();
    add(all, "light", Scheme.LIGHT, theme.light());
    add(all, "dark", Scheme.DARK, theme.dark());
    return List.copyOf(all);
  }

  private static void add(List<Contrast> all, String name, Scheme usual, Colours colours) {
    Scheme scheme = usual.with(colours);
    all.add(new Contrast(name, "card", rounded(scheme.text().contrast(scheme.card()))));
    all.add(new Contrast(name, "background", rounded(scheme.text().contrast(scheme.ground()))));
  }

  /** Rounds down, so that nothing becomes readable by rounding. */
  private static double rounded(double ratio) {
    return Math.floor(ratio * 100) / 100;
  }

  public boolean isReadable() {
    return ratio >= LEAST;
  }
}
