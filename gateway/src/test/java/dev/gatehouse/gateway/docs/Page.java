package dev.gatehouse.gateway.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the documentation in Markdown (GitHub's flavour): prose, headings, fenced blocks and the marks before them.
 *
 * @param name its path from the root of the repository
 */
public record Page(Path file, String name, List<String> lines) {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Deeper ones are resources of tests. */
  private static final int DEPTH = 8;

  private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git", "var");

  private static final Pattern FENCE = Pattern.compile("^(\\s*)(`{3,})\\s*(\\w*)\\s*$");
  private static final Pattern MARK = Pattern.compile("^\\s*<!-- (tested|output|person): (.*?) -->\\s*$");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?)\\s*$");
  private static final Pattern INLINE_CODE = Pattern.compile("(`+)(?:(?!\\1|\\n\\n).)+\\1", Pattern.DOTALL);

  /** What a comment marks: a block that is tested, the output of one, or what a person does in a browser. */
  enum Kind {
    TESTED,
    OUTPUT,
    PERSON
  }

  /**
   * A mark and the fenced block below it; a person's has none.
   *
   * @param line of the mark, from 1
   * @param value the block's name, or what the person does
   */
  record Mark(Page page, int line, Kind kind, String value, String language, String text) {

    String place() {
      return page.name() + ":" + line;
    }

    /** The name of a test. */
    @Override
    public String toString() {
      return place() + " " + value;
    }
  }

  static Page of(Path file) {
    try {
      return new Page(file, ROOT.relativize(file.toAbsolutePath().normalize()).toString(), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every page of the repository that is not generated. Folders of builds are not entered: tests beside this one remove files there. */
  static List<Page> all() {
    List<Path> pages = new ArrayList<>();
    try {
      Files.walkFileTree(
          ROOT,
          EnumSet.noneOf(FileVisitOption.class),
          DEPTH,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes about) {
              boolean isOurs = folder.equals(ROOT) || !NOT_OURS.contains(folder.getFileName().toString());
              return isOurs ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about) {
              if (about.isRegularFile() && file.toString().endsWith(".md")) {
                pages.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pages.stream().sorted().map(Page::of).toList();
  }

  /** The text of the one block with that name in all pages, for tests of what people copy from there. */
  public static String block(String name) {
    List<Mark> found =
        all().stream()
            .flatMap(page -> page.marks().stream())
            .filter(mark -> mark.kind() == Kind.TESTED && mark.value().equals(name))
            .toList();
    if (found.size() != 1) {
      throw new IllegalStateException(found.size() + " blocks are marked `tested: " + name + "`");
    }
    return found.getFirst().text();
  }

  /** The name of a test. */
  @Override
  public String toString() {
    return name;
  }

  /** All lines, those of fenced blocks empty. */
  List<String> prose() {
    List<String> prose = new ArrayList<>();
    Optional<String> fence = Optional.empty();
    for (String line : lines) {
      Matcher found = FENCE.matcher(line);
      boolean isFence = found.matches();
      if (fence.isPresent()) {
        if (isFence && found.group(2).length() >= fence.get().length() && found.group(3).isEmpty()) {
          fence = Optional.empty();
        }
        prose.add("");
      } else if (isFence) {
        fence = Optional.of(found.group(2));
        prose.add("");
      } else {
        prose.add(line);
      }
    }
    return prose;
  }

  /** The prose without code in backquotes, which may go over the end of a line; as many lines as the page has. */
  List<String> words() {
    String text = String.join("\n", prose());
    String bare = INLINE_CODE.matcher(text).replaceAll(code -> " " + "\n".repeat((int) code.group().lines().count() - 1));
    return List.of(bare.split("\n", -1));
  }

  /** What a link may name behind {@code #}, as GitHub makes it of headings. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (String line : prose()) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String anchor =
            heading
                .group(1)
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                .replace(' ', '-');
        int times = seen.merge(anchor, 1, Integer::sum);
        anchors.add(times == 1 ? anchor : anchor + "-" + (times - 1));
      }
    }
    return anchors;
  }

  /** In the order of the page. */
  List<Mark> marks() {
    List<Mark> marks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher mark = MARK.matcher(lines.get(i));
      if (mark.matches()) {
        Kind kind = Kind.valueOf(mark.group(1).toUpperCase(Locale.ROOT));
        marks.add(kind == Kind.PERSON ? new Mark(this, i + 1, kind, mark.group(2), "", "") : marked(i, kind, mark.group(2)));
      }
    }
    return marks;
  }

  private Mark marked(int at, Kind kind, String value) {
    Matcher fence = FENCE.matcher(at + 1 < lines.size() ? lines.get(at + 1) : "");
    if (!fence.matches()) {
      throw new IllegalStateException(name + ":" + (at + 1) + ": no fenced block follows the mark");
    }
    String indent = fence.group(1);
    StringBuilder text = new StringBuilder();
    for (int i = at + 2; i < lines.size() && !lines.get(i).strip().equals(fence.group(2)); i++) {
      String line = lines.get(i);
      text.append(line.startsWith(indent) ? line.substring(indent.length()) : line).append('\n');
    }
    return new Mark(this, at + 1, kind, value, fence.group(3), text.toString());
  }
}
