package dev.gatehouse.common.saml.xml;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.SamlWriter;
import dev.gatehouse.common.saml.message.Transport;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The JDK's parser reads every document that {@link PlainXml} accepts as the same tree, and rejects every one that it refuses. */
public final class PlainXmlFuzz {

  private static final BoundedTree.Limits LIMITS = new BoundedTree.Limits(40, 5_000, 64);
  private static final HardenedParser PARSER = new HardenedParser(Transport.MAX_BYTES, LIMITS);

  private PlainXmlFuzz() {}

  public static void fuzzerTestOneInput(byte[] xml) {
    String text = new String(xml, StandardCharsets.UTF_8);
    // Both are refused before any parser sees the document, or are outside PlainXml's scope.
    if (!text.contains("<!DOCTYPE") && !text.startsWith("<?xml")) {
      check(text);
    }
  }

  /** Returns whether PlainXml has read the document or refused it. Throws if the JDK's parser does not do the same. */
  static boolean check(String text) {
    BoundedTree plain = new BoundedTree(LIMITS, Set.of());
    Optional<SamlRefusal.Reason> refusal;
    try {
      if (!PlainXml.read(text, plain)) {
        return false;
      }
      refusal = Optional.empty();
    } catch (MessageRefused e) {
      refusal = Optional.of(e.refusal().reason());
    }
    BoundedTree tree = new BoundedTree(LIMITS, Set.of());
    Optional<SamlRefusal.Reason> wanted = byJdk(text, tree);
    if (!refusal.equals(wanted)) {
      throw new IllegalStateException("refused with " + refusal + " and not with " + wanted + ": " + text);
    }
    boolean same = refusal.isPresent() || plain.document().isEqualNode(tree.document()) && plain.ids().equals(tree.ids());
    if (!same) {
      throw new IllegalStateException("another tree: " + text);
    }
    return true;
  }

  private static Optional<SamlRefusal.Reason> byJdk(String text, BoundedTree tree) {
    try {
      PARSER.parseByJdk(text, tree);
      return Optional.empty();
    } catch (MessageRefused e) {
      return Optional.of(e.refusal().reason());
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        bytes("<a xmlns='urn:a' b=\"c &amp; d\"><b:c xmlns:b='urn:b' b:d='e' d='f'>g &lt; h</b:c>\n<i/></a>"),
        bytes("<p:a xmlns:p='urn:p' xml:lang='de' ID='_1'><p:b ID='_2'>]]</p:b></p:a>\n"),
        Forgery.response(SamlWriter.Signed.BOTH).getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
