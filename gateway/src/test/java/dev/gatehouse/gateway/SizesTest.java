package dev.gatehouse.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Sizes at which a reader loses the thread. {@link ArchitectureTest}, which has read all classes, has those of their methods and records.
 * The class path does not contain the module perf: its sources are parsed here.
 */
class SizesTest {

  static final int MAX_PARAMETERS = 8;
  static final int MAX_COMPONENTS = 10;
  private static final int MAX_LINES = 350;
  private static final int MAX_TYPES = 40;

  @Test
  void noFileIsLongerThan350Lines() {
    Set<String> found =
        sources()
            .filter(file -> lines(file) > MAX_LINES)
            .map(file -> file.toString().replaceAll(".*/dev/gatehouse/|\\.java$", "").replace('/', '.'))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEmpty();
  }

  @Test
  void noPackageHasMoreThanFortyTypes() {
    Map<String, Long> types =
        sources()
            .filter(file -> !file.endsWith("package-info.java"))
            .map(file -> file.toString().replaceAll(".*/dev/gatehouse/|/[^/]+$", ""))
            .collect(Collectors.groupingBy(folder -> folder, Collectors.counting()));
    Set<String> found =
        types.entrySet().stream()
            .filter(count -> count.getValue() > MAX_TYPES)
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(types).hasSizeGreaterThan(50);
    assertThat(found).isEmpty();
  }

  @Test
  void perfHasNoSuchMethodConstructorOrRecord() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Path> sources = files(Path.of("..", "perf", "src/main/java")).toList();
    Set<String> found = new TreeSet<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
      for (CompilationUnitTree file : task.parse()) {
        new Sizes(file.getSourceFile().getName(), found).scan(file, null);
      }
    }
    assertThat(sources).hasSizeGreaterThan(50);
    assertThat(found).isEmpty();
  }

  /** Finds what is too large in a parsed file. */
  private static final class Sizes extends TreeScanner<Void, Void> {
    private final String file;
    private final Set<String> found;

    Sizes(String file, Set<String> found) {
      this.file = file;
      this.found = found;
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      if (method.getParameters().size() > MAX_PARAMETERS) {
        found.add(file + " " + method.getName());
      }
      return super.visitMethod(method, nothing);
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      long components =
          type.getMembers().stream()
              .filter(member -> member instanceof VariableTree field && !field.getModifiers().getFlags().contains(Modifier.STATIC))
              .count();
      if (type.getKind() == Tree.Kind.RECORD && components > MAX_COMPONENTS) {
        found.add(file + " " + type.getSimpleName());
      }
      return super.visitClass(type, nothing);
    }
  }

  private static Stream<Path> sources() {
    return Stream.of("common", "sp", "idp", "gateway", "perf").map(module -> Path.of("..", module, "src/main/java")).flatMap(SizesTest::files);
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int lines(Path file) {
    try {
      return Files.readAllLines(file).size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
