import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Compares docker/runtime-modules with the Java modules that the program's libraries name. A line with a comment stands for a module that
 * is used by name or as a service, which no class file shows. {@code java RuntimeModules.java APP FILE}; jdeps needs minutes for the same.
 */
public final class RuntimeModules {

  private final Map<String, String> moduleOfPackage = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  public static void main(String[] arguments) throws IOException {
    Path app = Path.of(arguments[0]);
    Set<String> listed = new HashSet<>();
    Set<String> explained = new HashSet<>();
    Set<String> unused = new HashSet<>();
    for (String line : Files.readAllLines(Path.of(arguments[1]))) {
      String name = line.replaceFirst("#.*", "").strip();
      if (name.startsWith("-")) {
        unused.add(name.substring(1));
      } else if (!name.isEmpty()) {
        listed.add(name);
        if (line.contains("#")) {
          explained.add(name);
        }
      }
    }
    RuntimeModules modules = new RuntimeModules();
    try (Stream<Path> files = Files.walk(app)) {
      for (Path jar : files.filter(file -> file.toString().endsWith(".jar")).toList()) {
        modules.read(jar);
      }
    }
    modules.used.removeAll(unused);
    Set<String> needed = modules.withRequired(modules.used);
    Set<String> missing = new TreeSet<>(needed);
    missing.removeAll(listed);
    Set<String> idle = new TreeSet<>(listed);
    idle.removeAll(needed);
    idle.removeAll(explained);
    missing.forEach(name -> System.err.println("docker/runtime-modules lacks " + name + ", which a library names"));
    idle.forEach(
        name -> System.err.println("docker/runtime-modules has " + name + ", which no library names: remove it, or say behind # what for"));
    System.exit(missing.isEmpty() && idle.isEmpty() ? 0 : 1);
  }

  private RuntimeModules() {
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      for (ModuleDescriptor.Exports exported : module.descriptor().exports()) {
        if (!exported.isQualified()) {
          moduleOfPackage.put(exported.source().replace('.', '/'), module.descriptor().name());
        }
      }
    }
  }

  private void read(Path file) throws IOException {
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : jar.stream().filter(each -> each.getName().matches(".*(?<!module-info)\\.class")).toList()) {
        for (PoolEntry constant : ClassFile.of().parse(jar.getInputStream(entry).readAllBytes()).constantPool()) {
          if (constant instanceof ClassEntry type) {
            use(type.asInternalName());
          } else if (constant instanceof Utf8Entry text && text.stringValue().startsWith("(")) {
            for (String part : text.stringValue().split("[();]")) {
              use(part.replaceFirst("^[BCDFIJSZV\\[]*L", ""));
            }
          }
        }
      }
    }
  }

  private void use(String type) {
    int end = type.lastIndexOf('/');
    String module = end < 0 ? null : moduleOfPackage.get(type.substring(type.startsWith("[") ? type.indexOf('L') + 1 : 0, end));
    if (module != null) {
      used.add(module);
    }
  }

  /** With what they require, which jlink adds in any case. */
  private Set<String> withRequired(Set<String> names) {
    Set<String> all = new HashSet<>();
    for (List<String> next = List.copyOf(names); !next.isEmpty(); ) {
      next =
          next.stream()
              .filter(all::add)
              .flatMap(name -> ModuleFinder.ofSystem().find(name).orElseThrow().descriptor().requires().stream())
              .map(ModuleDescriptor.Requires::name)
              .toList();
    }
    return all;
  }
}
