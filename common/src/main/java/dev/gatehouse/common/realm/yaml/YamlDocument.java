package dev.gatehouse.common.realm.yaml;

import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The node tree of one YAML file. Features that configuration does not need are refused: tags, anchors and aliases, merge keys,
 * more than one document. The tree is therefore as large as its text, and every node has one place. Messages of the parser are
 * passed on only if they cannot contain text of the file.
 */
public final class YamlDocument {

  private static final Set<Tag> PLAIN =
      Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.TIMESTAMP, Tag.BINARY, Tag.MAP, Tag.SEQ);

  private YamlDocument() {}

  /** Returns the root section of the source's file; empty, with a problem, if there is none. */
  public static Optional<YamlSection> root(YamlSource source, Section declared) {
    Optional<byte[]> content = source.files().read(source.file());
    if (content.isEmpty()) {
      source.problem(0, "-", "cannot be read", "it must exist, be readable for this user and be at most 1 MB");
      return Optional.empty();
    }
    Optional<String> text = text(source, content.get());
    try {
      return text.filter(t -> plainEvents(source, t)).flatMap(t -> compose(source, t, declared));
    } catch (MarkedYAMLException e) {
      source.problem(line(e.getProblemMark()), "-", "is not YAML: " + harmless(e), "correct it; indent with spaces");
    } catch (YAMLException e) {
      source.problem(0, "-", "is not YAML that can be read", "use printable text, less deeply nested");
    }
    return Optional.empty();
  }

  /** Returns the values of a text that is only looked at; empty if it has none or is not YAML. */
  public static Optional<YamlTree> tree(String text) {
    try {
      return node(text).map(YamlTree::of);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the root of a text; empty if it has no value.
   *
   * @throws IllegalArgumentException if the text is not YAML
   */
  static Optional<Node> node(String text) {
    try {
      return Optional.ofNullable(new Yaml(options()).compose(new StringReader(text)));
    } catch (YAMLException e) {
      throw new IllegalArgumentException("The file is not YAML.", e);
    }
  }

  private static Optional<String> text(YamlSource source, byte[] content) {
    ByteBuffer in = ByteBuffer.wrap(content);
    CharBuffer out = CharBuffer.allocate(content.length);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    if (result.isError()) {
      // The decoder stops before the first byte that it cannot decode.
      long line = 1 + IntStream.range(0, in.position()).filter(i -> content[i] == '\n').count();
      source.problem((int) line, "-", "is not UTF-8", "save it as UTF-8");
      return Optional.empty();
    }
    return Optional.of(out.flip().toString());
  }

  private static boolean plainEvents(YamlSource source, String text) {
    for (Event event : new Yaml(options()).parse(new StringReader(text))) {
      if (event instanceof AliasEvent || event instanceof NodeEvent node && node.getAnchor() != null) {
        source.problem(
            line(event.getStartMark()),
            "-",
            "has an anchor or an alias",
            "write the value where it is needed; quote text that begins with & or *");
        return false;
      }
    }
    return true;
  }

  private static Optional<YamlSection> compose(YamlSource source, String text, Section declared) {
    Node root = new Yaml(options()).compose(new StringReader(text));
    if (root == null) {
      return Optional.of(YamlSection.empty(source, "", 1));
    }
    return plainTags(source, root) ? Optional.of(YamlSection.of(source, "", 1, root, declared)) : Optional.empty();
  }

  private static boolean plainTags(YamlSource source, Node node) {
    if (node.getTag().equals(Tag.MERGE)) {
      source.problem(line(node.getStartMark()), "<<", "merge keys are not read",
          "write the keys where they are needed");
      return false;
    }
    if (!PLAIN.contains(node.getTag())) {
      source.problem(
          line(node.getStartMark()), "-", "has a YAML tag",
              "remove it; quote text that begins with an exclamation mark");
      return false;
    }
    List<Node> children =
        switch (node) {
          case MappingNode mapping ->
              mapping.getValue().stream()
                  .flatMap(t -> java.util.stream.Stream.of(t.getKeyNode(), t.getValueNode()))
                  .toList();
          case SequenceNode sequence -> sequence.getValue();
          case ScalarNode scalar -> List.of();
          case Node other -> List.of();
        };
    return children.stream().map(child -> plainTags(source, child)).reduce(true, Boolean::logicalAnd);
  }

  private static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(NamedFiles.LARGEST);
    options.setNestingDepthLimit(20);
    options.setMaxAliasesForCollections(0);
    options.setAllowRecursiveKeys(false);
    return options;
  }

  private static int line(Mark mark) {
    return mark == null ? 0 : mark.getLine() + 1;
  }

  /** The parser's messages quote tags, aliases and unknown directives, which may be a password without quotation marks. */
  private static String harmless(MarkedYAMLException e) {
    String problem = String.valueOf(e.getProblem());
    boolean quotes = problem.contains("tag") || problem.contains("alias") || problem.contains("directive");
    return quotes ? "a special character begins a value" : problem;
  }
}
