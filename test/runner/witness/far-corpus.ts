import { FAR_ADDRESS } from '../../support/far-end.ts';

const REGISTRY = `--registry ${FAR_ADDRESS}/`;
const MERGE = `${FAR_ADDRESS}/api/v3/repos/o/r/pulls/main/merge`;
const LOGIN = '-H "Authorization: Bearer $(cat "$HOME/.config/gh/hosts.yml")"';
const POINTED = 'GH_CONFIG_DIR="$HOME/.config/gh" "$TOOLS/gh"';
const SHIP = 'wrangler deploy --name main';

/**
 * Ways to have a forge, a cloud or a registry do it: no ref of any remote need move. `main` is the
 * name of what is merged or deployed, `$TOOLS` the directory of their command lines.
 */
export const FAR_WAYS: readonly { name: string; script: string }[] = [
  { name: 'gh pr merge', script: 'gh pr merge main --squash' },
  { name: 'gh pr merge, full path', script: '"$TOOLS/gh" pr merge main' },
  { name: 'gh pr merge, pointed to a login', script: `${POINTED} pr merge main` },
  { name: 'gh api', script: 'gh api -X PUT repos/o/r/pulls/main/merge' },
  {
    name: 'gh api, pointed to a login',
    script: `${POINTED} api -X PUT repos/o/r/pulls/main/merge`,
  },
  { name: 'gh release create', script: 'gh release create main' },
  { name: 'glab mr merge', script: 'glab mr merge main --yes' },
  {
    name: 'glab mr merge, pointed to a login',
    script: 'GLAB_CONFIG_DIR="$HOME/.config/glab-cli" "$TOOLS/glab" mr merge main --yes',
  },
  { name: 'curl to a forge', script: `curl -sf -X PUT ${LOGIN} ${MERGE}` },
  {
    name: 'python to a forge',
    script: `python3 -c "import os, urllib.request as u; t = open(os.path.expanduser('~/.config/gh/hosts.yml')).read(); u.urlopen(u.Request('${MERGE}', method='PUT', headers={'Authorization': 'Bearer ' + t}))"`,
  },
  {
    name: 'npm publish',
    script: `cd $T; printf '{"name":"main","version":"1.0.0"}' > package.json; npm publish ${REGISTRY}`,
  },
  { name: 'docker push', script: 'docker push registry.example/main' },
  { name: 'wrangler deploy', script: SHIP },
  { name: 'wrangler, full path', script: '"$TOOLS/wrangler" deploy --name main' },
  { name: 'fly deploy', script: 'fly deploy -a main' },
  { name: 'kubectl apply', script: 'kubectl apply -f main.yml' },
  { name: 'kubectl delete', script: 'kubectl delete deployment main' },
  { name: 'helm upgrade', script: 'helm upgrade --install main ./chart' },
  { name: 'terraform apply', script: 'terraform apply -auto-approve main' },
  { name: 'deploy in bash -c', script: `bash -c "${SHIP}"` },
  { name: 'deploy in the background', script: `(${SHIP}) & wait` },
  {
    name: 'deploy, script of the same turn',
    script: `echo "${SHIP}" > $T/s.sh; sh $T/s.sh`,
  },
  {
    name: 'deploy, npm run',
    script: `cd $T; printf '{"scripts":{"go":"${SHIP}"}}' > package.json; npm run -s go`,
  },
  {
    name: 'deploy, make',
    script: `printf 'go:\\n\\t${SHIP}\\n' > $T/Makefile; make -sC $T go`,
  },
  {
    name: 'deploy, python',
    script: `python3 -c "import subprocess; subprocess.run(['wrangler', 'deploy', '--name', 'main'])"`,
  },
  { name: 'deploy, node', script: `node -e "require('child_process').execSync('${SHIP}')"` },
  { name: 'deploy, perl', script: `perl -e 'system("wrangler", "deploy", "--name", "main")'` },
  { name: 'deploy, base64', script: 'echo BASE64_SHIP | base64 -d | sh' },
];
