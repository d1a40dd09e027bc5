package dev.gatehouse.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relative links of all pages lead to files and headings that are there. */
class LinksTest {

  private static final Pattern LINK = Pattern.compile("]\\(\\s*<?([^)\\s>]+)>?(?:\\s+\"[^\"]*\")?\\s*\\)|^\\s*\\[[^]]+]:\\s+(\\S+)");
  private static final Pattern ABSOLUTE = Pattern.compile("^[a-zA-Z][a-zA-Z0-9+.-]*:.*");

  /** @param line from 1 */
  private record Link(Page page, int line, String target) {

    private Path file() {
      String path = target.contains("#") ? target.substring(0, target.indexOf('#')) : target;
      Path folder = page.file().toAbsolutePath().getParent();
      return path.isEmpty() || folder == null ? page.file() : folder.resolve(path).normalize();
    }

    /** Empty where it leads somewhere. */
    private Stream<String> problem() {
      String place = page.name() + ":" + line + ": ";
      if (!Files.exists(file())) {
        return Stream.of(place + "there is no " + target);
      }
      int at = target.indexOf('#');
      boolean leadsSomewhere =
          at < 0 || !file().toString().endsWith(".md") || Page.of(file()).anchors().contains(target.substring(at + 1));
      return leadsSomewhere ? Stream.empty() : Stream.of(place + "there is no heading for " + target);
    }
  }

  @TempDir private Path folder;

  @Test
  void everyRelativeLinkLeadsToAFileAndAHeading() {
    assertThat(Page.all().stream().flatMap(page -> links(page).stream()).flatMap(Link::problem)).isEmpty();
  }

  @Test
  void everyDocumentIsReachedFromTheReadme() {
    Page readme = Page.all().stream().filter(page -> page.name().equals("README.md")).findFirst().orElseThrow();
    Set<Path> reached = new HashSet<>();
    Deque<Page> next = new ArrayDeque<>(List.of(readme));
    while (!next.isEmpty()) {
      for (Link link : links(next.remove())) {
        if (link.file().toString().endsWith(".md") && Files.exists(link.file()) && reached.add(link.file())) {
          next.add(Page.of(link.file()));
        }
      }
    }
    assertThat(Page.all().stream().filter(page -> page.name().startsWith("docs/")).map(page -> page.file().normalize()))
        .allMatch(reached::contains, "is linked from a page that is reached from README.md");
  }

  @Test
  void theReadmeIsShort() {
    assertThat(Page.all().stream().filter(page -> page.name().equals("README.md")).findFirst().orElseThrow().lines())
        .hasSizeLessThanOrEqualTo(150);
  }

  @Test
  void brokenLinksAreFound() throws IOException {
    Files.writeString(folder.resolve("other.md"), "# One `two` [three](x)\n\n# One\n# One\n");
    Path page =
        Files.writeString(
            folder.resolve("page.md"),
            """
            # A page
            [good](other.md#one-two-three) [again](other.md#one-1) [self](#a-page) [web](https://example.org/none)
            [gone](none.md) and `[code](none.md)`
            ```
            [fenced](none.md)
            ```
            [no heading](other.md#two)
            """);
    assertThat(links(Page.of(page)).stream().flatMap(Link::problem).map(problem -> problem.replaceFirst(".*page.md", "page.md")))
        .containsExactly("page.md:3: there is no none.md", "page.md:7: there is no heading for other.md#two");
  }

  private static List<Link> links(Page page) {
    List<Link> links = new ArrayList<>();
    List<String> lines = page.words();
    for (int i = 0; i < lines.size(); i++) {
      Matcher link = LINK.matcher(lines.get(i));
      while (link.find()) {
        String target = link.group(1) == null ? link.group(2) : link.group(1);
        if (!ABSOLUTE.matcher(target).matches()) {
          links.add(new Link(page, i + 1, target));
        }
      }
    }
    return links;
  }
}
