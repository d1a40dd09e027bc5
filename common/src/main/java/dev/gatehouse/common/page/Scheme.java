package dev.gatehouse.common.page;

import dev.gatehouse.common.realm.ThemeConfig.Colours;

/**
 * The colours of pages in one colour scheme: those of our style sheet, or a realm's own and what follows from them.
 *
 * @param ground of the page
 * @param card of the area with the form
 * @param text on both
 * @param soft small print
 * @param bad mistakes
 * @param edge borders of fields, which WCAG 2.2 wants to be seen (1.4.11)
 */
record Scheme(Colour ground, Colour card, Colour text, Colour soft, Colour bad, Colour edge) {

  static final Scheme LIGHT = of("#f3f4f6", "#ffffff", "#1b1f24", "#57606a", "#a8201a", "#7d8590");
  static final Scheme DARK = of("#111419", "#1c2027", "#e8eaed", "#a6adb7", "#ff9d96", "#7b8491");

  private static final double SHAPE_CONTRAST = 3.1;
  static final double TEXT_CONTRAST = 4.6;

  private static Scheme of(String ground, String card, String text, String soft, String bad, String edge) {
    return new Scheme(Colour.of(ground), Colour.of(card), Colour.of(text), Colour.of(soft), Colour.of(bad), Colour.of(edge));
  }

  /** Returns this scheme with a realm's colours; the others are adjusted until they can be read on them. */
  Scheme with(Colours colours) {
    Colour ownGround = colours.background().map(Colour::of).orElse(ground);
    Colour ownCard = colours.card().map(Colour::of).orElse(card);
    Colour ownText = colours.text().map(Colour::of).orElse(text);
    Colour end = ownCard.text();
    return new Scheme(
        ownGround,
        ownCard,
        ownText,
        soft.readableOn(ownCard, end, TEXT_CONTRAST).readableOn(ownGround, ownGround.text(), TEXT_CONTRAST),
        bad.readableOn(ownCard, end, TEXT_CONTRAST),
        edge.readableOn(ownCard, end, SHAPE_CONTRAST));
  }

  /** Returns the accent for fills. */
  Colour fill(Colour accent) {
    return accent.readableOn(card, card.text(), SHAPE_CONTRAST);
  }

  /** Returns the accent's hue for text on the card. */
  Colour ink(Colour accent) {
    return accent.readableOn(card, card.text(), TEXT_CONTRAST);
  }

  /** Returns the variables of the style sheet that differ from it. */
  String variables() {
    return "--ground:" + ground + ";--card:" + card + ";--field:" + card + ";--text:" + text + ";--soft:" + soft + ";--edge:" + edge
        + ";--line:" + edge + ";--bad:" + bad + ";--bad-ground:" + card;
  }
}
