import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.codelibs.opensearch.runner.node.OpenSearchRunnerNode;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.plugins.Plugin;

/**
 * One OpenSearch node in this JVM, with the plugins of its class path: a real process that tests may kill.
 *
 * <p>Arguments: folder of the node, the process it belongs to (it ends with that one; 0 for none), then settings as
 * key=value, with plugin=CLASS for a further plugin. Prints "started" when it is.
 */
public final class ClusterNode {
    private static final List<String> PLUGINS = List.of(
            "org.opensearch.transport.Netty4ModulePlugin",
            "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
            "org.opensearch.painless.PainlessModulePlugin",
            "org.opensearch.index.mapper.MapperExtrasModulePlugin",
            "org.opensearch.index.reindex.ReindexModulePlugin",
            "org.opensearch.knn.plugin.KNNPlugin");

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        endWith(Long.parseLong(arguments[1]));
        Settings.Builder settings = Settings.builder().put("path.home", home.toString());
        String name = "node";
        List<Class<? extends Plugin>> plugins = new ArrayList<>();
        for (int at = 2; at < arguments.length; at++) {
            String[] pair = arguments[at].split("=", 2);
            if (pair[0].equals("plugin")) {
                plugins.add(Class.forName(pair[1]).asSubclass(Plugin.class));
            } else if (pair[1].indexOf(',') >= 0) {
                settings.putList(pair[0], pair[1].split(","));
            } else {
                settings.put(pair[0], pair[1]);
            }
            name = pair[0].equals("node.name") ? pair[1] : name;
        }
        for (String plugin : PLUGINS) {
            plugins.add(Class.forName(plugin).asSubclass(Plugin.class));
        }
        String nodeName = name;
        OpenSearchRunnerNode node = new OpenSearchRunnerNode(
                InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), home, () -> nodeName), plugins);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (java.io.IOException error) {
                error.printStackTrace();
            }
        }));
        node.start();
        System.out.println("started");
        Thread.currentThread().join();
    }

    private static void endWith(long owner) {
        if (owner != 0) {
            ProcessHandle.of(owner).ifPresentOrElse(
                    process -> process.onExit().thenRun(() -> Runtime.getRuntime().halt(0)),
                    () -> Runtime.getRuntime().halt(0));
        }
    }
}
