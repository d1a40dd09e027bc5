package dev.gatehouse.perf.gateway;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pages that the app serves, as files with the sizes of the published reports. */
final class Pages {

  /** The page of AuthMark. */
  static final int PAGE = 14_336;

  /** The public page of the access gateways, with as many images. */
  static final int PUBLIC_PAGE = 50_000;

  static final int IMAGES = 50;
  static final int IMAGE = 1_000;

  /** An authorization page with one hyperlink. */
  static final int SMALL = 200;

  private Pages() {}

  static void write(Path www) throws IOException {
    Files.createDirectories(www);
    Files.writeString(www.resolve("page-14k.html"), text(PAGE));
    Files.writeString(www.resolve("page-50k.html"), text(PUBLIC_PAGE));
    Files.writeString(www.resolve("small.html"), small());
    for (int i = 0; i < IMAGES; i++) {
      Files.writeString(www.resolve("image-" + i + ".html"), text(IMAGE));
    }
  }

  /** A page in one line, because nginx's configuration contains it. */
  static String small() {
    return padded("<!doctype html><title>Page</title><p><a href=\"next\">Next</a></p>", SMALL);
  }

  private static String text(int bytes) {
    return padded("<!doctype html><title>A page of " + bytes + " bytes</title><p>", bytes);
  }

  private static String padded(String start, int bytes) {
    StringBuilder text = new StringBuilder(start);
    while (text.length() < bytes) {
      text.append(text.length() % 80 == 79 ? ' ' : (char) ('a' + text.length() % 26));
    }
    return text.toString();
  }
}
